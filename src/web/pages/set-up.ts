/**
 * An administrator with a one-time link of the operator, of the first start or to get in again: a password or a passkey,
 * and then signed in. The first administrator enters their e-mail address before that.
 */

import { html } from 'htm/preact'
import {
  finishKeyBySetUpLink,
  isSetUpEmail,
  readSetUp,
  setUpByLink,
  startKeyBySetUpLink,
} from '../../features/account/index.ts'
import { signInWithPassword } from '../../features/sign-in/index.ts'
import { json } from '../addresses.ts'
import { clientOf, isScript, PATHS, readCredential, showFailure, tellFailure } from '../browser.ts'
import { type GivenCode, type PageTools, readGivenCode } from '../page-tools.ts'
import { type Content, field, form, headline, type Mistake, message, mistakeSummary } from '../parts.ts'
import { type PagePlan, problemPage, type Shown, type Visit } from '../site.ts'
import type { Texts } from '../texts/en.ts'
import { newPasskeyForm, setPasswordPage } from './credentials/set-password.ts'
import { opensInbox } from './inbox.ts'
import { usePasskey } from './sign-in/use-passkey.ts'

function whatComesNext({ setupDone: words, start }: Texts, hasInbox: boolean): Content {
  return html`
  <h2>${words.next}</h2>
  <ul class="next">
    <li>${words.console}</li>
    <li>${words.token}</li>
    ${hasInbox && html`<li>${words.mail} <a href=${PATHS.inbox}>${start.inbox}</a></li>`}
    <li>${words.api} <a href=${PATHS.explorer}>${start.api}</a></li>
  </ul>
`
}

/** Without an encrypted connection to another machine, browsers keep no session and provide no passkeys. */
function showInsecure({ texts }: Visit): Shown {
  const { title, why, how } = texts.setUpInsecure
  return { status: 400, title, content: message(title, [why, how]) }
}

async function showDone(tools: PageTools, { texts, request }: Visit, sentence: string, first: Content): Promise<Shown> {
  const hasInbox = await opensInbox(tools, request)
  return {
    title: texts.setupDone.title,
    hasScript: true,
    content: html`
    ${headline(texts.setupDone.title)}
    <p class="lead">${sentence}</p>
    ${first}
    ${whatComesNext(texts, hasInbox)}
  `,
  }
}

function showStale({ texts }: Visit): Shown {
  return {
    status: 400,
    title: texts.stale.title,
    content: html`${headline(texts.stale.title)}<p class="lead">${texts.stale.setupText}</p>`,
  }
}

/** The address of the first administrator: beside the passkey, or before the password. */
function emailField({ texts }: Visit, { email }: GivenCode, mistakes: readonly Mistake[]): Content {
  const { lead, label } = texts.setupEmail
  return field({
    name: 'email',
    label,
    type: 'email',
    autocomplete: 'email',
    value: email ?? '',
    mistakes,
    isFirst: true,
    below: lead,
  })
}

/** Asks for the address, and for a passkey at once where the browser can make one; what follows keeps the address. */
function showEmail(tools: PageTools, visit: Visit, given: GivenCode, mistakes: readonly Mistake[] = []): Shown {
  const { texts, lang } = visit
  const { setupTitle: title, setupLead } = texts.password
  const typed = emailField(visit, given, mistakes)
  const { userId, code } = given
  const passkey = newPasskeyForm(tools, PATHS.setUp)(visit, given, true, typed)
  return {
    status: mistakes.length > 0 ? 422 : 200,
    title,
    hasScript: passkey !== undefined,
    content: html`
      ${headline(title)}
      ${mistakeSummary(texts, mistakes)}
      <p class="lead">${setupLead}</p>
      ${passkey ?? form(PATHS.setUp, { userId, code, instead: 'password', lang }, texts.setupEmail.button, typed)}
    `,
  }
}

export function setUpPage(tools: PageTools): PagePlan {
  const { app, cookie, delayRefusal } = tools

  const byPasswordUnder = (title: (texts: Texts) => string) =>
    setPasswordPage(
      {
        path: PATHS.setUp,
        title,
        lead: ({ password }) => password.setupLead,
        button: ({ password }) => password.setupButton,
        startsWithPasskey: true,
        passkey: newPasskeyForm(tools, PATHS.setUp),
        async done(visit, { userId, userName, password }) {
          const { request, texts } = visit
          const before = cookie.read(request)
          const signed = await signInWithPassword(app, { userId, password, client: clientOf(visit), before })
          const links = html`
          <p><a class="button" href=${PATHS.console}>${texts.account.console}</a></p>
          <p><a class="button quiet" href=${PATHS.account}>${texts.signedIn.account}</a></p>
        `
          return {
            ...(await showDone(tools, visit, texts.setupDone.name({ userName }), links)),
            ...(signed.outcome === 'done' && { headers: cookie.keep(request, signed.token, signed.expiresAt) }),
          }
        },
        stale: showStale,
        set: (given) => setUpByLink(app, given),
      },
      tools,
    )
  const ofFirstStart = byPasswordUnder(({ password }) => password.setupTitle)
  const ofRecovery = byPasswordUnder(({ password }) => password.recoverTitle)

  /** The passkey is registered; using it once signs in. */
  const showRegistered = (visit: Visit, userName: string): Promise<Shown> =>
    showDone(
      tools,
      visit,
      visit.texts.setUpPasskey.done({ userName }),
      usePasskey(visit, { begins: 'now', next: PATHS.console }),
    )

  /** Registers a passkey, in the two steps of the script. */
  const postKey = async (visit: Visit, fields: URLSearchParams, startedAt: number) => {
    const { userId, code, email } = readGivenCode(fields)
    if (isScript(visit)) {
      const open = await readSetUp(app, { userId, code })
      if (open?.asksForEmail === true && !isSetUpEmail(email ?? '')) {
        return json({ message: visit.texts.setupEmail.wrong }, { status: 422 })
      }
      const asked = await startKeyBySetUpLink(app, { userId, code, email, client: clientOf(visit) })
      if (asked.outcome === 'asked') return json({ publicKey: asked.publicKey, keyId: asked.keyId })
      await delayRefusal(startedAt)
      return tellFailure(visit, asked, visit.texts.stale.setupText)
    }
    const given = { keyId: fields.get('keyId') ?? '', credential: readCredential(fields) ?? {} }
    const name = clientOf(visit).description
    const made = await finishKeyBySetUpLink(app, { userId, code, email, ...given, name })
    if (made.outcome === 'done') return showRegistered(visit, made.userName)
    return showFailure(visit, made, () => refuse(visit, startedAt))
  }

  const refuse = async (visit: Visit, startedAt: number): Promise<Shown> => {
    await delayRefusal(startedAt)
    return showStale(visit)
  }

  return {
    async get(visit) {
      const startedAt = performance.now()
      if (!cookie.isKept(visit.request)) return showInsecure(visit)
      const given = readGivenCode(visit.request.query)
      if (given.userId === '' || given.code === '') return problemPage(visit.texts, 400, 'incomplete')
      const open = await readSetUp(app, given)
      if (open === undefined) return refuse(visit, startedAt)
      const named = { ...given, loginName: open.userName }
      const byPassword = open.isRecovery ? ofRecovery : ofFirstStart
      return open.asksForEmail ? showEmail(tools, visit, given) : byPassword.show(visit, named)
    },
    async post(visit, fields) {
      const startedAt = performance.now()
      if (!cookie.isKept(visit.request)) return showInsecure(visit)
      if (isScript(visit) || fields.get('credential')) return postKey(visit, fields, startedAt)
      const given = readGivenCode(fields)
      if (given.userId === '' || given.code === '') return problemPage(visit.texts, 400, 'incomplete')
      const open = await readSetUp(app, given)
      if (open === undefined) return refuse(visit, startedAt)
      if (open.asksForEmail && !isSetUpEmail(given.email ?? '')) {
        return showEmail(tools, visit, given, [{ field: 'email', sentence: visit.texts.setupEmail.wrong }])
      }
      const byPassword = open.isRecovery ? ofRecovery : ofFirstStart
      if (!fields.has('password')) return byPassword.show(visit, { ...given, loginName: open.userName })
      return byPassword.post?.(visit, fields) ?? showStale(visit)
    },
  }
}
