/** Passkeys and security keys on one's own account: add, rename, remove. */
import { html } from 'htm/preact'
import {
  finishOwnKey,
  type KeyUse,
  readAccount,
  removeOwnKey,
  renameOwnKey,
  startOwnKey,
} from '../../../features/account/index.ts'
import type { Person } from '../../../features/sign-in/index.ts'
import { address, json } from '../../addresses.ts'
import { clientOf, PATHS, readCredential, showFailure, tellFailure } from '../../browser.ts'
import { keyForm } from '../../key-form.ts'
import type { PageTools } from '../../page-tools.ts'
import { field, form, headline, type Mistake, mistakeSummary } from '../../parts.ts'
import { type PagePlan, problemPage, type Shown, type Visit } from '../../site.ts'
import { showAccount } from './account.ts'
import { type Answer, actionPage, backToAccount, showNotDone } from './actions.ts'

const LONGEST_NAME = 200

function useOf(from: URLSearchParams): KeyUse {
  return from.get('use') === 'second_factor' ? 'second_factor' : 'passkey'
}

function nameOf(from: URLSearchParams): string {
  return (from.get('name') ?? '').trim().slice(0, LONGEST_NAME)
}

function showNew(visit: Visit, use: KeyUse, mistakes: readonly Mistake[] = []): Shown {
  const { texts, lang } = visit
  const words = texts.newKey
  const title = use === 'passkey' ? words.passkey : words.key
  const name = field({
    name: 'name',
    label: words.name,
    autocomplete: 'off',
    value: clientOf(visit).description,
    mistakes,
    isFirst: true,
  })
  const button = use === 'passkey' ? words.addPasskey : words.addKey
  return {
    status: mistakes.length > 0 ? 422 : 200,
    title,
    hasScript: true,
    content: html`
      ${mistakeSummary(texts, mistakes)}
      ${headline(title)}
      <p class="lead">${use === 'passkey' ? words.passkeyLead : words.keyLead}</p>
      ${keyForm(texts, { action: PATHS.keys, does: 'create', kept: { do: 'add', use, lang }, button, content: name })}
      <p class="aside"><a href=${address(PATHS.account, { lang })}>${texts.account.back}</a></p>
    `,
  }
}

async function showRename({ app }: PageTools, visit: Visit, person: Person, id: string): Promise<Shown> {
  const { texts, lang } = visit
  const known = (await readAccount(app, person)).keys.find((key) => key.id === id)
  if (known === undefined) return problemPage(texts, 404, 'notFound')
  const name = field({
    name: 'name',
    label: texts.newKey.name,
    autocomplete: 'off',
    value: known.name,
    mistakes: [],
    isFirst: true,
  })
  return {
    title: texts.newKey.rename,
    content: html`
      ${headline(texts.newKey.rename)}
      ${form(PATHS.keys, { do: 'rename', id, use: known.use, lang }, texts.newKey.save, name)}
      <p class="aside"><a href=${address(PATHS.account, { lang })}>${texts.account.back}</a></p>
    `,
  }
}

async function addKey({ app }: PageTools, visit: Visit, person: Person, fields: URLSearchParams): Promise<Answer> {
  const { texts } = visit
  const use = useOf(fields)
  if (!fields.has('credential')) {
    const asked = await startOwnKey(app, person, use, clientOf(visit))
    if (asked.outcome !== 'asked') return tellFailure(visit, asked, texts.keys.refused)
    return json({ publicKey: asked.publicKey, keyId: asked.keyId })
  }
  const given = { keyId: fields.get('keyId') ?? '', credential: readCredential(fields) ?? {}, name: nameOf(fields) }
  const made = await finishOwnKey(app, person, { use, ...given })
  if (made.outcome === 'done') return backToAccount(visit, 'key')
  return showFailure(visit, made, () => showNew(visit, use, [{ field: '', sentence: texts.keys.refused }]))
}

async function removeKey({ app }: PageTools, visit: Visit, person: Person, fields: URLSearchParams): Promise<Answer> {
  const gone = await removeOwnKey(app, person, { use: useOf(fields), keyId: fields.get('id') ?? '' })
  if (gone.outcome !== 'done') return showNotDone(visit, gone)
  // Not a redirect, because only this answer may tell password managers to forget the key.
  return showAccount(visit, person, await readAccount(app, person), 'removed', gone.signal)
}

async function renameKey({ app }: PageTools, visit: Visit, person: Person, fields: URLSearchParams): Promise<Answer> {
  const given = { use: useOf(fields), keyId: fields.get('id') ?? '', name: nameOf(fields) }
  const renamed = await renameOwnKey(app, person, given)
  return renamed.outcome === 'done' ? backToAccount(visit, 'renamed') : showNotDone(visit, renamed)
}

export function keysPage(tools: PageTools): PagePlan {
  return actionPage(tools, {
    path: PATHS.keys,
    needsRecentSignIn: true,
    async post(visit, person, fields) {
      switch (fields.get('do')) {
        case 'rename':
          return renameKey(tools, visit, person, fields)
        case 'remove':
          return removeKey(tools, visit, person, fields)
        default:
          return addKey(tools, visit, person, fields)
      }
    },
    async get(visit, person) {
      const { query } = visit.request
      const id = query.get('rename')
      return id === null ? showNew(visit, useOf(query)) : showRename(tools, visit, person, id)
    },
  })
}
