/** Sets up a second factor for people whose organization requires one and who have none yet. */

import { html } from 'htm/preact'
import { finishOwnKey, finishTotp, startOwnKey, startTotp } from '../../../features/account/index.ts'
import { canUseKeys, type Person } from '../../../features/sign-in/index.ts'
import { json, seeOther } from '../../addresses.ts'
import {
  carried,
  clientOf,
  isElsewhere,
  PATHS,
  pathAfter,
  proceed,
  readCredential,
  requireStep,
  showFailure,
  tellFailure,
} from '../../browser.ts'
import { keyForm } from '../../key-form.ts'
import type { PageTools } from '../../page-tools.ts'
import { type Content, form, headline, type Mistake, message, mistakeSummary, otherAccount } from '../../parts.ts'
import type { PagePlan, Shown, Visit } from '../../site.ts'
import { readApp, showApp } from './set-up-authenticator.ts'
import { usePasskey } from './use-passkey.ts'

/** The form for a new passkey. */
function addPasskey(visit: Visit): Content {
  return keyForm(visit.texts, {
    action: PATHS.setUpFactor,
    does: 'create',
    kept: { ...carried(visit), do: 'passkey' },
    button: visit.texts.newKey.passkey,
  })
}

/** The passkey is registered; using it once finishes the sign-in. */
function showAdded(visit: Visit): Shown {
  const { done, doneText } = visit.texts.registerPasskey
  return { title: done, hasScript: true, content: message(done, [doneText], usePasskey(visit, { begins: 'now' })) }
}

export function setUpSecondFactorPage(tools: PageTools): PagePlan {
  const { app, delayRefusal } = tools

  const show = (
    visit: Visit,
    { offered, isPasskeyEnough, provesWith }: Person,
    mistakes: readonly Mistake[] = [],
  ): Shown => {
    const { texts } = visit
    const words = texts.requiredFactor
    const kept = carried(visit)
    const isApp = offered.includes('totp')
    const hasKeys = canUseKeys(app, clientOf(visit))
    const isKey = hasKeys && offered.includes('u2f')
    const isPasskey = hasKeys && isPasskeyEnough
    const or = html`<p class="or">${texts.signIn.or}</p>`
    return {
      status: mistakes.length > 0 ? 422 : 200,
      title: words.title,
      hasScript: true,
      content: html`
        ${mistakeSummary(texts, mistakes)}
        ${headline(words.title)}
        <p class="lead">${isApp || isKey || isPasskey ? words.lead : words.none}</p>
        ${isPasskey && (provesWith.includes('passkey') ? usePasskey(visit) : addPasskey(visit))}
        ${isApp && html`${isPasskey && or}${form(PATHS.setUpFactor, { ...kept, do: 'app' }, words.app, undefined, isPasskey ? 'quiet' : undefined)}`}
        ${
          isKey &&
          html`
            ${(isApp || isPasskey) && or}
            ${keyForm(texts, {
              action: PATHS.setUpFactor,
              does: 'create',
              kept: { ...kept, do: 'key' },
              button: words.key,
              isQuiet: isApp || isPasskey,
            })}
          `
        }
        ${otherAccount(texts, kept)}
      `,
    }
  }

  return {
    async get(visit) {
      const found = await requireStep(tools, visit, 'set_up_second_factor')
      return isElsewhere(found) ? found : show(visit, found.person)
    },
    async post(visit, fields) {
      const startedAt = performance.now()
      const { texts } = visit
      const found = await requireStep(tools, visit, 'set_up_second_factor')
      if (isElsewhere(found)) return found
      const { person } = found
      const out = otherAccount(texts, carried(visit))
      const target = { action: PATHS.setUpFactor, kept: carried(visit), out }
      /** The key is set up and must be used in the next step, so that a key that does not work is noticed. */
      const goOn = () => seeOther(pathAfter({ ...person, step: 'second_factor' }, carried(visit)))
      const fail = async (sentence: string): Promise<Shown> => {
        await delayRefusal(startedAt)
        const app = readApp(fields)
        if (app === undefined) return show(visit, person, [{ field: '', sentence }])
        return showApp(visit, app, target, [{ field: 'code', sentence }])
      }
      const use = fields.get('do') === 'passkey' ? 'passkey' : 'second_factor'
      switch (fields.get('do')) {
        case 'passkey':
        case 'key': {
          if (!(use === 'passkey' ? person.isPasskeyEnough : person.offered.includes('u2f'))) return show(visit, person)
          if (!fields.has('credential')) {
            const asked = await startOwnKey(app, person, use, clientOf(visit))
            if (asked.outcome !== 'asked') return tellFailure(visit, asked, texts.keys.refused)
            return json({ publicKey: asked.publicKey, keyId: asked.keyId })
          }
          const credential = readCredential(fields) ?? {}
          const given = { keyId: fields.get('keyId') ?? '', credential, name: clientOf(visit).description }
          const made = await finishOwnKey(app, person, { use, ...given })
          if (made.outcome === 'done') return use === 'passkey' ? showAdded(visit) : goOn()
          return showFailure(visit, made, () => fail(texts.keys.refused))
        }
        case 'app': {
          if (!person.offered.includes('totp')) return show(visit, person)
          const started = await startTotp(app, person)
          if (started.outcome !== 'done') return showFailure(visit, started, () => fail(texts.app.refused))
          return showApp(visit, started, target)
        }
        case 'verify': {
          const verified = await finishTotp(app, person, (fields.get('code') ?? '').trim().slice(0, 100))
          return verified.outcome === 'done'
            ? proceed(tools, visit, verified)
            : showFailure(visit, verified, () => fail(texts.app.refused))
        }
        default:
          return show(visit, person)
      }
    },
  }
}
