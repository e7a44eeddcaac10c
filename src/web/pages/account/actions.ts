/** Changes to one's own account, each on its page: sessions, linked accounts, the authenticator app, recovery codes. */
import { html } from 'htm/preact'
import {
  endOwnSessions,
  finishTotp,
  makeRecoveryCodes,
  removeOwnLink,
  removeTotp,
  startTotp,
} from '../../../features/account/index.ts'
import type { Failure, Person, Renewed } from '../../../features/sign-in/index.ts'
import type { PageAnswer } from '../../../http/page.ts'
import { address, seeOther } from '../../addresses.ts'
import { isElsewhere, PATHS, requireStep, showFailure } from '../../browser.ts'
import type { PageTools } from '../../page-tools.ts'
import { fieldsScript, headline, message } from '../../parts.ts'
import type { PagePlan, Shown, Visit } from '../../site.ts'
import { readApp, showApp } from '../sign-in/set-up-authenticator.ts'

export type Answer = Shown | PageAnswer

/** Back to the account page, which says what was done. */
export function backToAccount({ lang }: Visit, done: string): PageAnswer {
  return seeOther(address(PATHS.account, { done, lang }))
}

/** As above, with the new token of a session that has got a factor. */
export function renewSession(
  { cookie }: PageTools,
  visit: Visit,
  { token, expiresAt }: Renewed,
  done: string,
): PageAnswer {
  const back = backToAccount(visit, done)
  return { ...back, headers: { ...back.headers, ...cookie.keep(visit.request, token, expiresAt) } }
}

/** The page for a change that was not made. */
export function showNotDone(visit: Visit, failure: Failure): Answer | Promise<Answer> {
  return showFailure(visit, failure, () => {
    const { title, text } = visit.texts.notDone
    const home = html`<p><a class="button quiet" href=${PATHS.account}>${visit.texts.account.back}</a></p>`
    return { status: 400, title, content: message(title, [text], home) }
  })
}

interface ActionPage {
  readonly path: string
  /** Whether it changes a way to sign in, which needs a recent sign-in. */
  readonly needsRecentSignIn: boolean
  post(visit: Visit, person: Person, fields: URLSearchParams): Promise<Answer>
  get?(visit: Visit, person: Person): Promise<Answer>
}

/** A page whose forms are accepted from a signed-in person only. */
export function actionPage(tools: PageTools, { path, needsRecentSignIn, post, get }: ActionPage): PagePlan {
  const admit = async (visit: Visit, fields?: URLSearchParams): Promise<Person | PageAnswer> => {
    const found = await requireStep(tools, visit, 'none')
    if (isElsewhere(found)) return found
    if (found.person.isFresh || !needsRecentSignIn) return found.person
    // A form cannot be sent again after signing in; a page can be opened again.
    const next = fields === undefined ? address(path, Object.fromEntries(visit.request.query)) : PATHS.account
    return seeOther(address(PATHS.signIn, { again: 'yes', next, lang: visit.lang }))
  }
  return {
    async get(visit) {
      if (get === undefined) return seeOther(PATHS.account)
      const admitted = await admit(visit)
      return isElsewhere(admitted) ? admitted : get(visit, admitted)
    },
    async post(visit, fields) {
      const admitted = await admit(visit, fields)
      return isElsewhere(admitted) ? admitted : post(visit, admitted, fields)
    },
  }
}

export function sessionsPage(tools: PageTools): PagePlan {
  return actionPage(tools, {
    path: PATHS.sessions,
    needsRecentSignIn: false,
    async post(visit, person, fields) {
      const isOne = fields.get('do') === 'end'
      const ended = await endOwnSessions(tools.app, person, isOne ? (fields.get('id') ?? '') : undefined)
      return ended.outcome === 'done' ? backToAccount(visit, isOne ? 'session' : 'others') : showNotDone(visit, ended)
    },
  })
}

export function linksPage(tools: PageTools): PagePlan {
  return actionPage(tools, {
    path: PATHS.links,
    needsRecentSignIn: true,
    async post(visit, person, fields) {
      const link = { idpId: fields.get('idp') ?? '', externalUserId: fields.get('account') ?? '' }
      const removed = await removeOwnLink(tools.app, person, link)
      return removed.outcome === 'done' ? backToAccount(visit, 'removed') : showNotDone(visit, removed)
    },
  })
}

export function authenticatorPage({ app, ...tools }: PageTools): PagePlan {
  return actionPage(
    { app, ...tools },
    {
      path: PATHS.totp,
      needsRecentSignIn: true,
      async post(visit, person, fields) {
        const { lang, texts } = visit
        const out = html`<p class="aside"><a href=${address(PATHS.account, { lang })}>${texts.account.back}</a></p>`
        const target = { action: PATHS.totp, kept: { lang }, out }
        switch (fields.get('do')) {
          case 'remove': {
            const removed = await removeTotp(app, person)
            return removed.outcome === 'done' ? backToAccount(visit, 'removed') : showNotDone(visit, removed)
          }
          case 'verify': {
            const verified = await finishTotp(app, person, (fields.get('code') ?? '').trim().slice(0, 100))
            if (verified.outcome === 'done') return renewSession({ app, ...tools }, visit, verified, 'app')
            const secret = readApp(fields)
            if (secret === undefined) return showNotDone(visit, verified)
            const mistakes = [{ field: 'code', sentence: visit.texts.app.refused }]
            return showFailure(visit, verified, () => showApp(visit, secret, target, mistakes))
          }
          default: {
            const started = await startTotp(app, person)
            return started.outcome === 'done' ? showApp(visit, started, target) : showNotDone(visit, started)
          }
        }
      },
    },
  )
}

export function recoveryCodesPage(tools: PageTools): PagePlan {
  return actionPage(tools, {
    path: PATHS.recoveryCodes,
    needsRecentSignIn: true,
    async post(visit, person) {
      const made = await makeRecoveryCodes(tools.app, person)
      if (made.outcome !== 'done') return showNotDone(visit, made)
      const { title, lead, once, copy, copied, download } = visit.texts.recoveryCodes
      const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${made.codes.join('\n')}\n`)}`
      return {
        title,
        content: html`
          ${headline(title)}
          <p class="lead">${lead}</p>
          <ol class="codes" id="codes">${made.codes.map((code) => html`<li><code>${code}</code></li>`)}</ol>
          <p class="note">${once}</p>
          <p>
            <a class="button quiet" download="recovery-codes.txt" href=${file}>${download}</a>
            <button type="button" class="quiet" data-copy="codes" data-copied=${copied} hidden>${copy}</button>
            <span id="codes-copied" role="status"></span>
          </p>
          ${fieldsScript()}
          <p><a class="button" href=${address(PATHS.account, { lang: visit.lang })}>${visit.texts.account.back}</a></p>
        `,
      }
    },
  })
}
