/**
 * The page on which users give a device access (RFC 8628): they enter the code that it shows, see which application asks
 * for what, and allow or deny it.
 */
import { html } from 'htm/preact'
import {
  type AskingApplication,
  approveDevice,
  denyDevice,
  describeApplication,
  requireDeviceByUserCode,
  type StartedDevice,
} from '../../../features/authorization-requests/index.ts'
import type { Person } from '../../../features/sign-in/index.ts'
import type { PageAnswer } from '../../../http/page.ts'
import { Refused } from '../../../kernel/refusal.ts'
import { type Attempts, openAttempts } from '../../../kernel/share.ts'
import type { Document } from '../../../store/index.ts'
import { isElsewhere, PATHS, requireStep, showWait } from '../../browser.ts'
import type { PageTools } from '../../page-tools.ts'
import { field, form, headline, type Mistake, message, mistakeSummary } from '../../parts.ts'
import type { PagePlan, Shown, Visit } from '../../site.ts'
import { scopeList } from './scopes.ts'

type Answer = Shown | PageAnswer

/** Ten wrong codes of a user in five minutes: there are 25 billion codes, and a code is valid for five minutes. */
const WRONG_CODES = { limit: 10, windowMs: 5 * 60_000 }

/** Longer than any code, with whatever was typed between its letters. */
const LONGEST_CODE = 40

/** A device that waits, and who asks for what. */
interface Waiting {
  readonly device: Document<StartedDevice>
  readonly application: AskingApplication
  readonly code: string
}

function codeOf(from: URLSearchParams): string {
  return (from.get('user_code') ?? '').trim().slice(0, LONGEST_CODE)
}

function showCode(visit: Visit, code: string, mistakes: readonly Mistake[] = []): Shown {
  const { texts, lang } = visit
  const { title, lead, code: label, button } = texts.device
  const typed = field({ name: 'user_code', label, autocomplete: 'off', value: code, mistakes, isFirst: true })
  return {
    status: mistakes.length > 0 ? 422 : 200,
    title,
    content: html`
      ${mistakeSummary(texts, mistakes)}
      ${headline(title)}
      <p class="lead">${lead}</p>
      ${form(PATHS.device, { lang }, button, typed)}
    `,
  }
}

function showQuestion({ texts, lang }: Visit, { application, code }: Waiting, person: Person): Shown {
  const words = texts.device
  const kept = { user_code: code, session: person.sessionId, lang }
  return {
    title: words.confirmTitle({ applicationName: application.name }),
    content: html`
      ${headline(words.confirmTitle({ applicationName: application.name }))}
      <p class="lead">${words.confirmLead({ applicationName: application.name, userName: person.userName })}</p>
      ${scopeList(texts, application)}
      <p>${words.sameCode} <code>${code}</code></p>
      <p class="note">${words.warning}</p>
      ${form(PATHS.device, { ...kept, do: 'allow' }, words.allow)}
      ${form(PATHS.device, { ...kept, do: 'deny' }, words.deny, undefined, 'quiet')}
    `,
  }
}

/** The device with this code. Wrong codes are counted before they are looked up, so that none is tried at the same time. */
async function findWaiting(
  { app }: PageTools,
  attempts: Attempts,
  userId: string,
  code: string,
): Promise<Waiting | 'unknown' | 'throttled'> {
  if (!attempts.take(userId)) return 'throttled'
  try {
    const device = await requireDeviceByUserCode(app, code, app.clock())
    const { clientId, scope, secret } = device.state
    const { payload } = secret
    const resource = typeof payload.resource === 'string' ? payload.resource : undefined
    const application = await describeApplication(app, clientId, scope, resource)
    attempts.giveBack(userId)
    return application === undefined ? 'unknown' : { device, application, code }
  } catch (error) {
    if (error instanceof Refused && error.code === 'device_authorization.not_found') return 'unknown'
    throw error
  }
}

function showUnknown(visit: Visit, code: string): Shown {
  return showCode(visit, code, [{ field: 'user_code', sentence: visit.texts.device.unknown }])
}

/** Records the answer of the user. */
async function decide(
  { app }: PageTools,
  visit: Visit,
  { device, application, code }: Waiting,
  person: Person,
  isAllowed: boolean,
): Promise<Shown> {
  const words = visit.texts.device
  try {
    await app.store.write({ actor: { user: person.userId }, at: app.clock() }, (work) =>
      isAllowed ? approveDevice(app, work, device.id, person.sessionId) : denyDevice(work, device.id),
    )
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    if (error.code.startsWith('device_authorization.')) return showUnknown(visit, code)
    if (!error.code.startsWith('authorization_request.')) throw error
    return {
      status: 403,
      title: words.noAccess,
      content: message(words.noAccess, [words.noAccessText({ applicationName: application.name })]),
    }
  }
  const [title, text] = isAllowed ? [words.allowed, words.allowedText] : [words.denied, words.deniedText]
  return { title, content: message(title, [text]) }
}

export function devicePage(tools: PageTools): PagePlan {
  const attempts = openAttempts({ now: tools.app.clock, ...WRONG_CODES })
  return {
    async get(visit) {
      const found = await requireStep(tools, visit, 'none')
      return isElsewhere(found) ? found : showCode(visit, codeOf(visit.request.query))
    },
    async post(visit, fields): Promise<Answer> {
      const found = await requireStep(tools, visit, 'none')
      if (isElsewhere(found)) return found
      const { person } = found
      const code = codeOf(fields)
      if (code === '') return showCode(visit, code, [{ field: 'user_code', sentence: visit.texts.device.missing }])
      const waiting = await findWaiting(tools, attempts, person.userId, code)
      if (waiting === 'throttled') return showWait(visit, WRONG_CODES.windowMs / 1000)
      if (waiting === 'unknown') return showUnknown(visit, code)
      const answer = fields.get('do')
      // Another user may have signed in since the question was shown.
      if ((answer !== 'allow' && answer !== 'deny') || fields.get('session') !== person.sessionId) {
        return showQuestion(visit, waiting, person)
      }
      return decide(tools, visit, waiting, person, answer === 'allow')
    },
  }
}
