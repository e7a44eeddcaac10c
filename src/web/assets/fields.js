/** Buttons that need a script, hidden without it: the eye in a password field shows what is typed, one copies a list. */

for (const button of document.querySelectorAll('button[data-reveal]')) {
  const input = document.getElementById(button.dataset.reveal)
  const show = (isShown) => {
    input.type = isShown ? 'text' : 'password'
    button.setAttribute('aria-pressed', String(isShown))
  }
  button.hidden = false
  button.addEventListener('click', () => show(input.type === 'password'))
  // Browsers remember what is sent from a text field, and so it is one of a password again.
  input.form?.addEventListener('submit', () => show(false))
}

for (const button of document.querySelectorAll('button[data-copy]')) {
  const list = document.getElementById(button.dataset.copy)
  // Browsers offer it on secure pages only.
  if (!navigator.clipboard) continue
  button.hidden = false
  button.addEventListener('click', async () => {
    const lines = [...list.querySelectorAll('code')].map(({ textContent }) => textContent)
    await navigator.clipboard.writeText(`${lines.join('\n')}\n`)
    document.getElementById(`${button.dataset.copy}-copied`).textContent = button.dataset.copied
  })
}

for (const input of document.querySelectorAll('input[type=file][data-max-bytes]')) {
  // The form waits until the picture is small enough.
  let waiting = Promise.resolve()
  let isReady = true
  input.addEventListener('change', () => {
    const [file] = input.files
    if (file === undefined) return
    isReady = false
    waiting = shrunk(file, Number(input.dataset.maxBytes)).then((smaller) => {
      const files = new DataTransfer()
      files.items.add(smaller)
      input.files = files.files
      isReady = true
    })
  })
  input.form?.addEventListener('submit', (event) => {
    if (isReady) return
    event.preventDefault()
    void waiting.then(() => input.form.requestSubmit())
  })
}
