/**
 * The only script of the pages: it asks the browser for a passkey or key and puts the answer into a form. A form says with
 * data-key what to do ("get" or "create"); whatever it is told stands in data attributes, in the language of the page.
 */

const isSupported = () =>
  typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function' &&
  typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function'

/** What waits in the background, until the user presses a button: there can be one request at a time. */
let waiting

const statusOf = (form) => form.querySelector('[role="status"]')

const say = (form, sentence) => {
  const status = statusOf(form)
  if (status) status.textContent = sentence ?? ''
}

/** A refusal of ours, in words that may be shown. */
class Told extends Error {}

const askServer = async (form) => {
  const fields = new URLSearchParams(new FormData(form))
  fields.delete('credential')
  const answer = await fetch(form.action, { method: 'POST', body: fields, headers: { accept: 'application/json' } })
  // A user who is no longer signed in, or not recently, is sent to the sign-in page.
  if (answer.redirected) location.assign(answer.url)
  const reply = await answer.json()
  if (!answer.ok) throw new Told(reply.message)
  return reply
}

const askBrowser = (kind, publicKey, more) =>
  kind === 'create'
    ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(publicKey), ...more })
    : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey), ...more })

const setField = (form, name, value) => {
  const field = form.elements.namedItem(name)
  if (field) field.value = value
}

const sentenceFor = (form, error) => {
  if (error instanceof Told) return error.message
  const { cancelled, known, failed } = statusOf(form)?.dataset ?? {}
  if (error?.name === 'NotAllowedError' || error?.name === 'AbortError') return cancelled
  return error?.name === 'InvalidStateError' ? known : failed
}

/** How long a challenge of the server is used again: it lives for five minutes. */
const CHALLENGE_MS = 240_000

/** What the server answered to a form that creates a key. A link counts once, and people cancel and try again. */
const answers = new WeakMap()

const askOnce = async (form) => {
  const known = answers.get(form)
  if (known && performance.now() - known.at < CHALLENGE_MS) return known.reply
  const reply = await askServer(form)
  if (form.dataset.key === 'create') answers.set(form, { reply, at: performance.now() })
  return reply
}

const run = async (form, more = {}) => {
  const { publicKey, keyId } = await askOnce(form)
  const credential = await askBrowser(form.dataset.key, publicKey, more)
  setField(form, 'credential', JSON.stringify(credential.toJSON()))
  if (keyId) setField(form, 'keyId', keyId)
  form.submit()
}

const press = async (form) => {
  const button = form.querySelector('button')
  if (button.disabled) return
  waiting?.abort()
  button.disabled = true
  say(form, '')
  try {
    await run(form)
  } catch (error) {
    say(form, sentenceFor(form, error))
    button.disabled = false
  }
}

/** Conditional UI: passkeys are offered where the user name is typed. The user did not ask for it, so a failure is not shown. */
const offer = async (form) => {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
  waiting = new AbortController()
  try {
    await run(form, { mediation: 'conditional', signal: waiting.signal })
  } catch {
    // The button says what is wrong to users who press it.
  }
}

/** The WebAuthn Signal API (Level 3 §5.1.10): password managers forget what we have forgotten. */
const signal = async ({ rpId, userId, removed, accepted }) => {
  const known = globalThis.PublicKeyCredential
  try {
    if (removed) await known?.signalUnknownCredential?.({ rpId, credentialId: removed })
    await known?.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds: accepted })
  } catch {
    // It is a courtesy; without it a password manager offers what no longer works.
  }
}

for (const form of document.querySelectorAll('form[data-key]')) {
  if (!isSupported()) {
    // Where there are other ways, one that nobody can use here is not shown, nor the line between them.
    if ('optional' in form.dataset) {
      form.parentElement.classList.add('no-passkeys')
      continue
    }
    form.querySelector('button').disabled = true
    say(form, statusOf(form)?.dataset.unsupported)
    continue
  }
  form.addEventListener('submit', (event) => {
    // Another button of the form leads to another way.
    if (event.submitter?.name) return
    event.preventDefault()
    press(form)
  })
  // Pages that come back from the cache have a button that was pressed.
  addEventListener('pageshow', () => {
    form.querySelector('button').disabled = false
  })
  if (form.dataset.begin === 'offer') offer(form)
  if (form.dataset.begin === 'now') press(form)
}

for (const element of document.querySelectorAll('[data-signal]')) signal(JSON.parse(element.dataset.signal))

const setAuthenticator = async (input) => {
  const isThere = await globalThis.PublicKeyCredential?.isUserVerifyingPlatformAuthenticatorAvailable?.()
  if (isThere) input.value = 'yes'
}

for (const input of document.querySelectorAll('[data-authenticator]')) setAuthenticator(input).catch(() => {})
