/** The first administrator, with the one-time link of the first start: a password or a passkey, and then signed in. */

import { html } from 'htm/preact'
import { finishKeyBySetUpLink, setUpByLink, startKeyBySetUpLink } from '../../features/account/index.ts'
import { signInWithPassword } from '../../features/sign-in/index.ts'
import { json } from '../addresses.ts'
import { clientOf, PATHS, readCredential, showFailure, tellFailure } from '../browser.ts'
import { keyForm } from '../key-form.ts'
import type { PageTools } from '../page-tools.ts'
import { readGivenCode } from '../page-tools.ts'
import { type Content, headline } from '../parts.ts'
import type { PagePlan, Shown, Visit } from '../site.ts'
import type { Texts } from '../texts/en.ts'
import { setPasswordPage } from './set-password.ts'

const SETUP = '/setup'

function whatComesNext({ setupDone: words, start }: Texts): Content {
  return html`
  <h2>${words.next}</h2>
  <ul class="next">
    <li>${words.token}</li>
    <li>${words.mail} <a href="/inbox">${start.inbox}</a></li>
    <li>${words.api} <a href="/openapi.json">${start.api}</a></li>
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

function showStale({ texts }: Visit): Shown {
  return {
    status: 400,
    title: texts.stale.title,
    content: html`${headline(texts.stale.title)}<p class="lead">${texts.stale.setupText}</p>`,
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
      also: ({ texts, lang }, { userId, code }) => html`
        <p class="or">${texts.signIn.or}</p>
        ${keyForm(texts, {
          action: SETUP,
          does: 'create',
          kept: { userId, code, lang },
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

  return {
    get: byPassword.get,
    async post(visit, fields) {
      const startedAt = performance.now()
      const isForKey = visit.request.header('accept') === 'application/json'
      if (!isForKey && !fields.has('credential')) return byPassword.post?.(visit, fields) ?? showStale(visit)
      const { userId, code } = readGivenCode(fields)
      if (isForKey) {
        const asked = await startKeyBySetUpLink(app, { userId, code, client: clientOf(visit) })
        if (asked.outcome === 'asked') return json({ publicKey: asked.publicKey, keyId: asked.keyId })
        await delayRefusal(startedAt)
        return tellFailure(visit, asked, visit.texts.stale.setupText)
      }
      const given = { keyId: fields.get('keyId') ?? '', credential: readCredential(fields) ?? {} }
      const name = clientOf(visit).description
      const made = await finishKeyBySetUpLink(app, { userId, code, ...given, name })
      if (made.outcome === 'done') return showRegistered(visit, made.userName)
      return showFailure(visit, made, async () => {
        await delayRefusal(startedAt)
        return showStale(visit)
      })
    },
  }
}
