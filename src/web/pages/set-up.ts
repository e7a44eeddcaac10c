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
import { clientOf, PATHS, readCredential, showFailure, tellFailure } from '../browser.ts'
import { keyForm } from '../key-form.ts'
import { type GivenCode, type PageTools, readGivenCode } from '../page-tools.ts'
import { type Content, field, form, headline, type Mistake, mistakeSummary } from '../parts.ts'
import { mishap, type PagePlan, type Shown, type Visit } from '../site.ts'
import type { Texts } from '../texts/en.ts'
import { setPasswordPage } from './credentials/set-password.ts'

const SETUP = '/setup'

function whatComesNext({ setupDone: words, start }: Texts): Content {
  return html`
  <h2>${words.next}</h2>
  <ul class="next">
    <li>${words.token}</li>
    <li>${words.mail} <a href="/inbox">${start.inbox}</a></li>
    <li>${words.api} <a href="/ui/api">${start.api}</a></li>
  </ul>
`
}

function showDone(texts: Texts, sentence: string, first: Content): Shown {
  return {
    title: texts.setupDone.title,
    hasScript: true,
    content: html`
    ${headline(texts.setupDone.title)}
    <p class="lead">${sentence}</p>
    ${first}
    ${whatComesNext(texts)}
  `,
  }
}

/** The script of the page asks for JSON. */
function isForKey({ request }: Visit): boolean {
  return request.header('accept') === 'application/json'
}

function showStale({ texts }: Visit): Shown {
  return {
    status: 400,
    title: texts.stale.title,
    content: html`${headline(texts.stale.title)}<p class="lead">${texts.stale.setupText}</p>`,
  }
}

/** Asks for the address; what follows keeps it in its forms. */
function showEmail(
  { texts, lang }: Visit,
  { userId, code, email }: GivenCode,
  mistakes: readonly Mistake[] = [],
): Shown {
  const { setupTitle: title } = texts.password
  const { lead, label, button } = texts.setupEmail
  const input = field({ name: 'email', label, autocomplete: 'email', value: email ?? '', mistakes, isFirst: true })
  return {
    status: mistakes.length > 0 ? 422 : 200,
    title,
    content: html`
      ${mistakeSummary(texts, mistakes)}
      ${headline(title)}
      <p class="lead">${lead}</p>
      ${form(SETUP, { userId, code, step: 'email', lang }, button, input)}
    `,
  }
}

export function setUpPage(tools: PageTools): PagePlan {
  const { app, cookie, delayRefusal } = tools

  const byPassword = setPasswordPage(
    {
      path: SETUP,
      title: ({ password }) => password.setupTitle,
      lead: ({ password }) => password.setupLead,
      button: ({ password }) => password.setupButton,
      hasScript: true,
      also: ({ texts, lang }, { userId, code, email }) => html`
        <p class="or">${texts.signIn.or}</p>
        ${keyForm(texts, {
          action: SETUP,
          does: 'create',
          kept: { userId, code, email, lang },
          button: texts.setUpPasskey.button,
          isQuiet: true,
        })}
      `,
      async done(visit, { userName, password }) {
        const { request, texts } = visit
        const before = cookie.read(request)
        const signed = await signInWithPassword(app, { userName, password, client: clientOf(visit), before })
        const account = html`<p><a class="button" href=${PATHS.account}>${texts.signedIn.account}</a></p>`
        return {
          ...showDone(texts, texts.setupDone.name(userName), account),
          ...(signed.outcome === 'done' && { headers: cookie.keep(request, signed.token, signed.expiresAt) }),
        }
      },
      stale: showStale,
      set: (given) => setUpByLink(app, given),
    },
    tools,
  )

  /** The passkey is registered; using it once signs in. */
  const showRegistered = ({ texts, lang }: Visit, userName: string): Shown =>
    showDone(
      texts,
      texts.setUpPasskey.done(userName),
      keyForm(texts, {
        action: PATHS.passkey,
        does: 'get',
        begins: 'now',
        kept: { next: PATHS.account, lang },
        button: texts.signIn.passkey,
      }),
    )

  /** Registers a passkey, in the two steps of the script. */
  const postKey = async (visit: Visit, fields: URLSearchParams, startedAt: number) => {
    const { userId, code, email } = readGivenCode(fields)
    if (isForKey(visit)) {
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
      const given = readGivenCode(visit.request.query)
      if (given.userId === '' || given.code === '') return mishap(visit.texts, 400, 'incomplete')
      const open = await readSetUp(app, given)
      if (open === undefined) return refuse(visit, startedAt)
      return open.asksForEmail ? showEmail(visit, given) : byPassword.get(visit)
    },
    async post(visit, fields) {
      const startedAt = performance.now()
      if (isForKey(visit) || fields.has('credential')) return postKey(visit, fields, startedAt)
      const given = readGivenCode(fields)
      if (given.userId === '' || given.code === '') return mishap(visit.texts, 400, 'incomplete')
      const open = await readSetUp(app, given)
      if (open === undefined) return refuse(visit, startedAt)
      if (open.asksForEmail && !isSetUpEmail(given.email ?? '')) {
        return showEmail(visit, given, [{ field: 'email', sentence: visit.texts.setupEmail.wrong }])
      }
      if (fields.has('step')) return byPassword.show(visit, given)
      return byPassword.post?.(visit, fields) ?? showStale(visit)
    },
  }
}
