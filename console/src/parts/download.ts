/** Gives the user a file that the browser has made. */

/** Downloads a text under a name. */
export function downloadText(name: string, text: string, type = 'application/json'): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has started, but the browser may still read the address.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
