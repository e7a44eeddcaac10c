/** Gives the user a file that the browser has made. */

/** Downloads a text under a name. */
export function downloadText(name: string, text: string, type = 'application/json'): void {
  downloadBlob(name, new Blob([text], { type }))
}

/** Downloads a file under a name. */
export function downloadBlob(name: string, file: Blob): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has started, but the browser may still read the address.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
