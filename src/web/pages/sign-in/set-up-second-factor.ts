/** Sets up a second factor for people whose organization requires one and who have none yet. */

import { html } from 'htm/preact'
import { finishOwnKey, finishTotp, startOwnKey, startTotp } from '../../../features/account/index.ts'
import type { Person } from '../../../features/sign-in/index.ts'
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
import { form, headline, type Mistake, mistakeSummary } from '../../parts.ts'
import type { PagePlan, Shown, Visit } from '../../site.ts'
import { readApp, showApp } from './set-up-authenticator.ts'

export function setUpSecondFactorPage(tools: PageTools): PagePlan {
  const { app, delayRefusal } = tools

  const show = (visit: Visit, { offered }: Person, mistakes: readonly Mistake[] = []): Shown => {
    const { texts } = visit
    const words = texts.requiredFactor
    const kept = carried(visit)
    const isApp = offered.includes('totp')
    return {
      status: mistakes.length > 0 ? 422 : 200,
      title: words.title,
      hasScript: true,
      content: html`
        ${mistakeSummary(texts, mistakes)}
        ${headline(words.title)}
        <p class="lead">${offered.length === 0 ? words.none : words.lead}</p>
        ${isApp && form(PATHS.setUpFactor, { ...kept, do: 'app' }, words.app)}
        ${
          offered.includes('u2f') &&
          html`
            ${isApp && html`<p class="or">${texts.signIn.or}</p>`}
            ${keyForm(texts, {
              action: PATHS.setUpFactor,
              does: 'create',
              kept: { ...kept, do: 'key' },
              button: words.key,
              isQuiet: isApp,
            })}
          `
        }
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
      const target = { action: PATHS.setUpFactor, kept: carried(visit) }
      /** The factor is set up and must be used in the next step, so that a factor that does not work is noticed. */
      const goOn = () => seeOther(pathAfter({ ...person, step: 'second_factor' }, carried(visit)))
      const fail = async (sentence: string): Promise<Shown> => {
        await delayRefusal(startedAt)
        const app = readApp(fields)
        if (app === undefined) return show(visit, person, [{ field: '', sentence }])
        return showApp(visit, app, target, [{ field: 'code', sentence }])
      }
      switch (fields.get('do')) {
        case 'key': {
          if (!person.offered.includes('u2f')) return show(visit, person)
          if (!fields.has('credential')) {
            const asked = await startOwnKey(app, person, 'second_factor', clientOf(visit))
            if (asked.outcome !== 'asked') return tellFailure(visit, asked, texts.keys.refused)
            return json({ publicKey: asked.publicKey, keyId: asked.keyId })
          }
          const credential = readCredential(fields) ?? {}
          const given = { keyId: fields.get('keyId') ?? '', credential, name: clientOf(visit).description }
          const made = await finishOwnKey(app, person, { use: 'second_factor', ...given })
          return made.outcome === 'done' ? goOn() : showFailure(visit, made, () => fail(texts.keys.refused))
        }
        case 'app': {
          if (!person.offered.includes('totp')) return show(visit, person)
          const started = await startTotp(app, person)
          if (started.outcome !== 'done') return showFailure(visit, started, () => fail(texts.app.refused))
          return showApp(visit, started, target)
        }
        case 'verify': {
          const verified = await finishTotp(app, person, (fields.get('code') ?? '').trim().slice(0, 100))
          return verified.outcome === 'done' ? proceed(tools, visit, verified) : showFailure(visit, verified, () => fail(texts.app.refused))
        }
        default:
          return show(visit, person)
      }
    },
  }
}
