/** The second factor after the first: a code of an app, one that is sent, a key, or a recovery code. */

import { html } from 'htm/preact'
import {
  askForKey,
  canUseKeys,
  type Person,
  type SecondFactor,
  sendCode,
  showFactor,
} from '../../../features/sign-in/index.ts'
import { address, json } from '../../addresses.ts'
import {
  carried,
  clientOf,
  isElsewhere,
  PATHS,
  proceed,
  readCredential,
  requireStep,
  showFailure,
  tellFailure,
} from '../../browser.ts'
import { keyForm } from '../../key-form.ts'
import type { PageTools } from '../../page-tools.ts'
import {
  authenticatorField,
  type Content,
  field,
  form,
  headline,
  type Mistake,
  mistakeSummary,
  otherAccount,
} from '../../parts.ts'
import type { PagePlan, Shown, Visit } from '../../site.ts'
import { usePasskey } from './use-passkey.ts'

/** The most convenient first. */
const ORDER: readonly SecondFactor[] = ['u2f', 'totp', 'otp_email', 'otp_sms', 'recovery_code']

function isSent(factor: SecondFactor): factor is 'otp_email' | 'otp_sms' {
  return factor === 'otp_email' || factor === 'otp_sms'
}

/** Which one the page asks for: the one that was chosen, if the person has it, else the most convenient. */
function choose({ factors }: Person, asked: string | null): SecondFactor {
  return factors.find((one) => one === asked) ?? ORDER.find((one) => factors.includes(one)) ?? 'totp'
}

export function secondFactorPage(tools: PageTools): PagePlan {
  const { app, cookie, delayRefusal } = tools

  const formFor = (visit: Visit, person: Person, factor: SecondFactor, mistakes: readonly Mistake[]): Content => {
    const { texts } = visit
    const words = texts.secondFactor
    const kept = { ...carried(visit), with: factor }
    if (factor === 'u2f') {
      return keyForm(texts, { action: PATHS.secondFactor, does: 'get', kept, button: words.useKey })
    }
    if (isSent(factor) && !person.sent.includes(factor)) {
      return form(PATHS.secondFactor, { ...kept, send: 'yes' }, words.send)
    }
    const code = field({
      name: 'code',
      label: words.code[factor],
      autocomplete: factor === 'recovery_code' ? 'off' : 'one-time-code',
      ...(factor !== 'recovery_code' && { inputMode: 'numeric' as const }),
      mistakes,
      isFirst: true,
    })
    return html`
      ${form(PATHS.secondFactor, kept, words.button, html`${code}${authenticatorField()}`)}
      ${isSent(factor) && form(PATHS.secondFactor, { ...kept, send: 'yes' }, words.sendAgain, undefined, 'quiet')}
    `
  }

  const show = (visit: Visit, person: Person, asked: string | null, mistakes: readonly Mistake[] = []): Shown => {
    const { texts } = visit
    const words = texts.secondFactor
    const factor = choose(person, asked)
    const others = ORDER.filter((one) => one !== factor && person.factors.includes(one))
    const lead = isSent(factor) && person.sent.includes(factor) ? words.sent[factor] : words.lead[factor]
    const isPasskey =
      person.isPasskeyEnough && person.provesWith.includes('passkey') && canUseKeys(app, clientOf(visit))
    return {
      status: mistakes.length > 0 ? 422 : 200,
      title: words.title,
      hasScript: true,
      content: html`
        ${mistakeSummary(texts, mistakes)}
        ${headline(words.title)}
        <p class="lead">${lead}</p>
        ${formFor(visit, person, factor, mistakes)}
        ${isPasskey && html`<p class="or">${texts.signIn.or}</p>${usePasskey(visit, { isQuiet: true })}`}
        ${
          others.length > 0 &&
          html`
            <h2>${words.others}</h2>
            <ul class="links">
              ${others.map(
                (one) =>
                  html`<li><a href=${address(PATHS.secondFactor, { ...carried(visit), with: one })}>${words.names[one]}</a></li>`,
              )}
            </ul>
          `
        }
        ${otherAccount(texts, carried(visit))}
      `,
    }
  }

  return {
    async get(visit) {
      const found = await requireStep(tools, visit, 'second_factor')
      return isElsewhere(found) ? found : show(visit, found.person, visit.request.query.get('with'))
    },
    async post(visit, fields) {
      const startedAt = performance.now()
      const { request, texts } = visit
      const words = texts.secondFactor
      const found = await requireStep(tools, visit, 'second_factor')
      if (isElsewhere(found)) return found
      const { person, token } = found
      const factor = choose(person, fields.get('with'))
      const fail = async (sentence: string): Promise<Shown> => {
        await delayRefusal(startedAt)
        const isTyped = factor !== 'u2f' && !fields.has('send')
        return show(visit, person, factor, [{ field: isTyped ? 'code' : '', sentence }])
      }
      if (factor === 'u2f') {
        if (!fields.has('credential')) {
          const asked = await askForKey(app, { use: 'second_factor', token, client: clientOf(visit) })
          if (asked.outcome !== 'asked') return tellFailure(visit, asked, texts.keys.refused)
          return json({ publicKey: asked.publicKey }, { headers: cookie.keep(request, asked.token, asked.expiresAt) })
        }
        const credential = readCredential(fields)
        if (credential === undefined) return fail(texts.keys.refused)
        const shown = await showFactor(app, token, { credential })
        if (shown.outcome === 'done') return proceed(tools, visit, shown)
        return showFailure(visit, shown, () => fail(texts.keys.refused))
      }
      if (isSent(factor) && fields.has('send')) {
        const sent = await sendCode(app, token, factor)
        if (sent.outcome !== 'done') return showFailure(visit, sent, () => fail(words.notSent))
        const kept = cookie.keep(request, sent.token, sent.expiresAt)
        return {
          ...show(visit, { ...person, sent: [...person.sent, factor] }, factor),
          hasAddress: true,
          headers: kept,
        }
      }
      const code = (fields.get('code') ?? '').trim()
      if (code === '') return show(visit, person, factor, [{ field: 'code', sentence: words.missing }])
      const shown = await showFactor(app, token, { factor, code: code.slice(0, 100) })
      if (shown.outcome === 'done') return proceed(tools, visit, shown)
      return showFailure(visit, shown, () => fail(words.refused))
    },
  }
}
