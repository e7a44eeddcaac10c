/**
 * The page on which users decide what applications ask on the back channel (CIBA): they read who asks for what, and approve
 * it with a passkey or second factor, or refuse it. Only keys need a script.
 */
import { html } from 'htm/preact'
import { approve, deny, waitingApproval, waitingApprovals } from '../../../features/authorization-requests/index.ts'
import { askForKey, type Person, sendCode, showFactor } from '../../../features/sign-in/index.ts'
import type { PageAnswer } from '../../../http/page.ts'
import { Refused } from '../../../kernel/refusal.ts'
import { address, json } from '../../addresses.ts'
import { clientOf, isElsewhere, PATHS, readCredential, requireStep, showFailure, tellFailure } from '../../browser.ts'
import type { PageTools } from '../../page-tools.ts'
import { type Content, form, headline, type Mistake, message, mistakeSummary } from '../../parts.ts'
import type { PagePlan, Shown, Visit } from '../../site.ts'
import { time, timesScript } from '../../times.ts'
import { scopeList } from '../applications/scopes.ts'
import type { Answer } from './actions.ts'
import { chosenProof, isSent, type ProofWay, proofForms, waysOf } from './approval-proof.ts'
import { row, section } from './parts.ts'

type Approval = NonNullable<Awaited<ReturnType<typeof waitingApproval>>>

/** No ID of ours is longer. */
const LONGEST_ID = 100

/** What the account page says while something waits. */
export function approvalsNotice({ texts, lang }: Visit, waiting: number): Content {
  if (waiting === 0) return null
  const { waiting: sentence, review } = texts.approvals
  return html`
    <p class="note">
      ${sentence({ count: waiting })} <a href=${address(PATHS.approvals, { lang })}>${review}</a>
    </p>
  `
}

async function showList({ app }: PageTools, visit: Visit, { userId }: Person): Promise<Shown> {
  const { texts, lang, language } = visit
  const words = texts.approvals
  const waiting = await waitingApprovals(app, userId)
  const rows = waiting.map(({ id, application, bindingMessage, expiresAt }) =>
    row(
      application.name,
      html`${bindingMessage !== '' && html`<bdi>${bindingMessage}</bdi> · `}${words.until} ${time(expiresAt, language)}`,
      html`<a class="button small" href=${address(PATHS.approvals, { id, lang })} aria-label=${texts.buttons.labelled({ button: words.review, name: application.name })}>${words.review}</a>`,
    ),
  )
  return {
    title: words.title,
    content: html`
      ${section(words.title, 'approvals', rows.length === 0 ? words.none : undefined, rows)}
      <p class="aside"><a href=${address(PATHS.account, { lang })}>${texts.account.back}</a></p>
      ${timesScript()}
    `,
  }
}

function showGone({ texts, lang }: Visit): Shown {
  const { gone, goneText } = texts.approvals
  const back = html`<p><a class="button quiet" href=${address(PATHS.account, { lang })}>${texts.account.back}</a></p>`
  return { status: 404, title: gone, content: message(gone, [goneText], back) }
}

function showRequest(
  tools: PageTools,
  visit: Visit,
  person: Person,
  approval: Approval,
  way: ProofWay | undefined,
  mistakes: readonly Mistake[] = [],
): Shown {
  const { texts, lang, language } = visit
  const words = texts.approvals
  const { id, application, bindingMessage, expiresAt, isProven } = approval
  const kept = { id, lang, do: 'approve' }
  return {
    status: mistakes.length > 0 ? 422 : 200,
    title: words.asks({ name: application.name }),
    hasScript: true,
    content: html`
      ${mistakeSummary(texts, mistakes)}
      ${headline(words.asks({ name: application.name }))}
      <p class="lead">${words.lead({ userName: person.userName })}</p>
      ${scopeList(texts, application)}
      <dl>
        ${bindingMessage !== '' && html`<dt>${words.message}</dt><dd><strong><bdi>${bindingMessage}</bdi></strong></dd>`}
        <dt>${words.until}</dt><dd>${time(expiresAt, language)}</dd>
      </dl>
      <p class="note">${words.warning}</p>
      ${isProven ? form(PATHS.approvals, kept, words.approve) : proofForms(visit, { person, way, ways: waysOf(tools, visit, person), kept, mistakes })}
      ${form(PATHS.approvals, { ...kept, do: 'refuse' }, words.refuse, undefined, 'quiet')}
      ${timesScript()}
    `,
  }
}

/** Records a decision, of which there is one. */
async function decide(visit: Visit, approval: Approval, act: () => Promise<void>, isApproved: boolean): Promise<Shown> {
  const { texts } = visit
  const words = texts.approvals
  try {
    await act()
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    if (error.code.startsWith('backchannel_request.')) return showGone(visit)
    if (!/^(authorization_request|grant)\./.test(error.code)) throw error
    const { noAccess, noAccessText } = texts.device
    return {
      status: 403,
      title: noAccess,
      content: message(noAccess, [noAccessText({ applicationName: approval.application.name })]),
    }
  }
  const [title, text] = isApproved ? [words.approved, words.approvedText] : [words.refused, words.refusedText]
  return { title, content: message(title, [text]) }
}

/** Takes a proof of the user; afterwards the session has a new token. */
async function prove(
  tools: PageTools,
  visit: Visit,
  { person, token }: { readonly person: Person; readonly token: string },
  approval: Approval,
  fields: URLSearchParams,
): Promise<Answer | { readonly isProven: true; readonly headers: Readonly<Record<string, string>> }> {
  const startedAt = performance.now()
  const { app, cookie, delayRefusal } = tools
  const { request, texts } = visit
  const way = chosenProof(waysOf(tools, visit, person), fields.get('with'))
  if (way === undefined) return showRequest(tools, visit, person, approval, way)
  const again = (sentence: string, field = '') =>
    showRequest(tools, visit, person, approval, way, [{ field, sentence }])
  const isKey = way === 'passkey' || way === 'u2f'
  if (isKey && !fields.has('credential')) {
    const use = way === 'passkey' ? 'passkey' : 'second_factor'
    const asked = await askForKey(app, { use, token, client: clientOf(visit) })
    if (asked.outcome !== 'asked') return tellFailure(visit, asked, texts.keys.refused)
    return json({ publicKey: asked.publicKey }, { headers: cookie.keep(request, asked.token, asked.expiresAt) })
  }
  if (isSent(way) && fields.has('send')) {
    const sent = await sendCode(app, token, way)
    if (sent.outcome !== 'done') return showFailure(visit, sent, () => again(texts.secondFactor.notSent))
    const shown = showRequest(tools, visit, { ...person, sent: [...person.sent, way] }, approval, way)
    return { ...shown, headers: cookie.keep(request, sent.token, sent.expiresAt) }
  }
  const credential = isKey ? readCredential(fields) : undefined
  const code = (fields.get('code') ?? '').trim().slice(0, 100)
  if (isKey && credential === undefined) return again(texts.keys.refused)
  if (!isKey && code === '') return again(texts.secondFactor.missing, 'code')
  const proof =
    credential === undefined ? { factor: way as Exclude<ProofWay, 'passkey' | 'u2f'>, code } : { credential }
  const shown = await showFactor(app, token, proof)
  if (shown.outcome === 'done') {
    return { isProven: true, headers: cookie.keep(request, shown.token, shown.expiresAt) }
  }
  return showFailure(visit, shown, async () => {
    await delayRefusal(startedAt)
    return isKey ? again(texts.keys.refused) : again(texts.secondFactor.refused, 'code')
  })
}

export function approvalsPage(tools: PageTools): PagePlan {
  const { app } = tools
  const idOf = (from: URLSearchParams) => (from.get('id') ?? '').slice(0, LONGEST_ID)
  return {
    async get(visit) {
      const found = await requireStep(tools, visit, 'none')
      if (isElsewhere(found)) return found
      const { query } = visit.request
      if (!query.has('id')) return showList(tools, visit, found.person)
      const approval = await waitingApproval(app, found.person, idOf(query))
      if (approval === undefined) return showGone(visit)
      const way = chosenProof(waysOf(tools, visit, found.person), query.get('with'))
      return showRequest(tools, visit, found.person, approval, way)
    },
    async post(visit, fields): Promise<Shown | PageAnswer> {
      const found = await requireStep(tools, visit, 'none')
      if (isElsewhere(found)) return found
      const { person } = found
      const approval = await waitingApproval(app, person, idOf(fields))
      if (approval === undefined) return showGone(visit)
      const origin = () => ({ actor: { user: person.userId }, at: app.clock() })
      if (fields.get('do') === 'refuse') {
        return decide(visit, approval, () => deny(app, origin(), approval.id, person.userId), false)
      }
      if (fields.get('do') !== 'approve') return showRequest(tools, visit, person, approval, undefined)
      const proven = approval.isProven
        ? { isProven: true, headers: {} }
        : await prove(tools, visit, found, approval, fields)
      if (!('isProven' in proven)) return proven
      const decided = await decide(visit, approval, () => approve(app, origin(), approval.id, person.sessionId), true)
      return { ...decided, headers: { ...decided.headers, ...proven.headers } }
    },
  }
}
