/** How users prove themselves when they approve something: with a passkey, or one of their second factors. */
import { html } from 'htm/preact'
import { canUseKeys, type Person, type SecondFactor } from '../../../features/sign-in/index.ts'
import { address } from '../../addresses.ts'
import { clientOf, PATHS } from '../../browser.ts'
import { keyForm } from '../../key-form.ts'
import type { PageTools } from '../../page-tools.ts'
import { type Content, field, form, type Mistake } from '../../parts.ts'
import type { Visit } from '../../site.ts'

export type ProofWay = 'passkey' | SecondFactor

/** The most convenient first. */
const ORDER: readonly ProofWay[] = ['passkey', 'u2f', 'totp', 'otp_email', 'otp_sms', 'recovery_code']

export function isSent(way: ProofWay): way is 'otp_email' | 'otp_sms' {
  return way === 'otp_email' || way === 'otp_sms'
}

/** The ways that a person has here. */
export function waysOf({ app }: PageTools, visit: Visit, person: Person): readonly ProofWay[] {
  const hasPasskey = person.isPasskeyEnough && person.provesWith.includes('passkey')
  const canUse = canUseKeys(app, clientOf(visit))
  return ORDER.filter((way) => {
    if (way === 'passkey') return hasPasskey && canUse
    return person.factors.includes(way) && (way !== 'u2f' || canUse)
  })
}

/** The way that was chosen, if the person has it, else the most convenient; undefined when they have none. */
export function chosenProof(ways: readonly ProofWay[], asked: string | null): ProofWay | undefined {
  return ways.find((way) => way === asked) ?? ways[0]
}

interface ProofForms {
  readonly person: Person
  readonly way: ProofWay | undefined
  readonly ways: readonly ProofWay[]
  readonly kept: Readonly<Record<string, string | undefined>>
  readonly mistakes: readonly Mistake[]
}

function formFor({ texts }: Visit, way: ProofWay, { person, kept, mistakes }: ProofForms): Content {
  const words = texts.secondFactor
  const hidden = { ...kept, with: way }
  if (way === 'passkey' || way === 'u2f') {
    const button = way === 'passkey' ? texts.approvals.withPasskey : words.useKey
    return keyForm(texts, { action: PATHS.approvals, does: 'get', kept: hidden, button })
  }
  if (isSent(way) && !person.sent.includes(way)) {
    return form(PATHS.approvals, { ...hidden, send: 'yes' }, words.send)
  }
  const code = field({
    name: 'code',
    label: words.code[way],
    autocomplete: way === 'recovery_code' ? 'off' : 'one-time-code',
    ...(way !== 'recovery_code' && { inputMode: 'numeric' as const }),
    mistakes,
  })
  return html`
    ${form(PATHS.approvals, hidden, texts.approvals.approve, code)}
    ${isSent(way) && form(PATHS.approvals, { ...hidden, send: 'yes' }, words.sendAgain, undefined, 'quiet')}
  `
}

/** The form for one way, with links to the others. */
export function proofForms(visit: Visit, given: ProofForms): Content {
  const { texts, lang } = visit
  const { ways, kept } = given
  const way = given.way ?? ways[0]
  if (way === undefined) {
    const { noFactor, setUp } = texts.approvals
    return html`<p>${noFactor} <a href=${address(PATHS.account, { lang })}>${setUp}</a></p>`
  }
  const nameOf = (one: ProofWay) => (one === 'passkey' ? texts.approvals.withPasskey : texts.secondFactor.names[one])
  const others = ways.filter((one) => one !== way)
  const hrefOf = (one: ProofWay) => address(PATHS.approvals, { id: kept.id, with: one, lang })
  return html`
    <p>${texts.approvals.proof}</p>
    ${formFor(visit, way, given)}
    ${
      others.length > 0 &&
      html`
        <h2>${texts.secondFactor.others}</h2>
        <ul class="links">${others.map((one) => html`<li><a href=${hrefOf(one)}>${nameOf(one)}</a></li>`)}</ul>
      `
    }
  `
}
