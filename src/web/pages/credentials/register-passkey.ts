/** Registers a passkey with a mailed link. Opening the link changes nothing; the button uses it up. */

import { html } from 'htm/preact'
import { checkKeyLink, finishKeyByLink, startKeyByLink } from '../../../features/account/index.ts'
import { address, json } from '../../addresses.ts'
import { clientOf, PATHS, readCredential, showFailure, tellFailure } from '../../browser.ts'
import { keyForm } from '../../key-form.ts'
import type { PageTools } from '../../page-tools.ts'
import { readGivenCode } from '../../page-tools.ts'
import { field, headline, type Mistake, message, mistakeSummary } from '../../parts.ts'
import { type PagePlan, problemPage, type Shown, type Visit } from '../../site.ts'

const LONGEST = 200

function readLink(from: URLSearchParams) {
  const { userId, code } = readGivenCode(from)
  const codeId = from.get('codeId') ?? ''
  return { userId, code, codeId: codeId.length > LONGEST || codeId.includes('\0') ? '' : codeId }
}

function isWhole(link: ReturnType<typeof readLink>): boolean {
  return Object.values(link).every((part) => part !== '')
}

function show(visit: Visit, mistakes: readonly Mistake[] = []): Shown {
  const { texts, lang } = visit
  const words = texts.registerPasskey
  const content = field({
    name: 'name',
    label: texts.newKey.name,
    autocomplete: 'off',
    value: clientOf(visit).description,
    mistakes,
    isFirst: true,
  })
  const kept = { ...readLink(visit.asked), lang }
  return {
    status: mistakes.length > 0 ? 422 : 200,
    title: words.title,
    hasScript: true,
    content: html`
      ${mistakeSummary(texts, mistakes)}
      ${headline(words.title)}
      <p class="lead">${words.lead}</p>
      ${keyForm(texts, { action: PATHS.registerPasskey, does: 'create', kept, button: texts.newKey.addPasskey, content })}
    `,
  }
}

export function registerPasskeyPage({ app, delayRefusal }: PageTools): PagePlan {
  return {
    async get(visit) {
      const startedAt = performance.now()
      const { texts } = visit
      const link = readLink(visit.asked)
      if (!isWhole(link)) return problemPage(texts, 400, 'incomplete')
      switch (await checkKeyLink(app, link)) {
        case 'busy':
          return problemPage(texts, 429, 'busy', { 'retry-after': '5' })
        case 'refused':
          await delayRefusal(startedAt)
          return { status: 400, title: texts.stale.title, content: message(texts.stale.title, [texts.stale.text]) }
        case 'done':
          return show(visit)
      }
    },
    async post(visit, fields) {
      const startedAt = performance.now()
      const { texts, lang } = visit
      const words = texts.registerPasskey
      const link = readLink(fields)
      if (!isWhole(link)) return problemPage(texts, 400, 'incomplete')
      if (!fields.has('credential')) {
        const asked = await startKeyByLink(app, { ...link, client: clientOf(visit) })
        if (asked.outcome === 'asked') return json({ publicKey: asked.publicKey, keyId: asked.keyId })
        await delayRefusal(startedAt)
        return tellFailure(visit, asked, words.refused)
      }
      const made = await finishKeyByLink(app, {
        userId: link.userId,
        keyId: fields.get('keyId') ?? '',
        credential: readCredential(fields) ?? {},
        name: (fields.get('name') ?? '').trim().slice(0, LONGEST),
      })
      if (made.outcome !== 'done') {
        const failure = made.outcome === 'gone' ? ({ outcome: 'refused' } as const) : made
        return showFailure(visit, failure, async () => {
          await delayRefusal(startedAt)
          return show(visit, [{ field: '', sentence: words.refused }])
        })
      }
      const next = html`<p><a class="button" href=${address(PATHS.signIn, { lang })}>${texts.signIn.title}</a></p>`
      return { title: words.done, content: message(words.done, [words.doneText], next) }
    },
  }
}
