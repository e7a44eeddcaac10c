/** After a sign-in with a password, on a device that can keep passkeys: one offer to add one. */
import { html } from 'htm/preact'
import { finishOwnKey, startOwnKey } from '../../../features/account/index.ts'
import { json, seeOther } from '../../addresses.ts'
import {
  carried,
  clientOf,
  isElsewhere,
  PATHS,
  pathAfter,
  readCredential,
  requireStep,
  showFailure,
  tellFailure,
} from '../../browser.ts'
import { passkeyIcon } from '../../icons.ts'
import { keyForm } from '../../key-form.ts'
import type { PageTools } from '../../page-tools.ts'
import { form, headline, type Mistake, mistakeSummary } from '../../parts.ts'
import type { PagePlan, Shown, Visit } from '../../site.ts'

function show(visit: Visit, mistakes: readonly Mistake[] = []): Shown {
  const { texts } = visit
  const { title, lead, button, later } = texts.offerPasskey
  const kept = carried(visit)
  return {
    status: mistakes.length > 0 ? 422 : 200,
    title,
    hasScript: true,
    content: html`
      <div class="emblem">${passkeyIcon}</div>
      ${headline(title)}
      ${mistakeSummary(texts, mistakes)}
      <p class="lead">${lead}</p>
      ${keyForm(texts, { action: PATHS.offerPasskey, does: 'create', kept, button, isOptional: true })}
      ${form(PATHS.offerPasskey, { ...kept, later: 'yes' }, later, undefined, 'quiet')}
    `,
  }
}

export function offerPasskeyPage(tools: PageTools): PagePlan {
  const { app, later } = tools
  return {
    async get(visit) {
      const found = await requireStep(tools, visit, 'none')
      if (isElsewhere(found)) return found
      // Later, ways to sign in are added on the account page, which asks the person to confirm that it is them.
      return found.person.isFresh ? show(visit) : seeOther(pathAfter(found.person, carried(visit)))
    },
    async post(visit, fields) {
      const found = await requireStep(tools, visit, 'none')
      if (isElsewhere(found)) return found
      const { person } = found
      const next = pathAfter(person, carried(visit))
      if (fields.has('later')) return seeOther(next, later.keep(visit.request, person.userId))
      if (!person.isFresh) return seeOther(next)
      if (!fields.has('credential')) {
        const asked = await startOwnKey(app, person, 'passkey', clientOf(visit))
        if (asked.outcome !== 'asked') return tellFailure(visit, asked, visit.texts.keys.refused)
        return json({ publicKey: asked.publicKey, keyId: asked.keyId })
      }
      const given = { keyId: fields.get('keyId') ?? '', credential: readCredential(fields) ?? {} }
      const made = await finishOwnKey(app, person, { use: 'passkey', ...given, name: clientOf(visit).description })
      if (made.outcome === 'done') return seeOther(next)
      return showFailure(visit, made, () => show(visit, [{ field: '', sentence: visit.texts.keys.refused }]))
    },
  }
}
