/** What can be done to one's own account, each on its page: sessions, keys, the app, sent codes, recovery codes. */
import { html } from 'htm/preact'
import type { PageAnswer } from '../http/page.ts'
import { showAccount } from './account.ts'
import type { KeyUse } from './account-ports.ts'
import { address, json, seeOther } from './addresses.ts'
import {
  clientOf,
  isElsewhere,
  PATHS,
  readCredential,
  requireStep,
  type SessionPageNeeds,
  showFailure,
  tellFailure,
} from './browser.ts'
import { readApp, showApp } from './factor-set-up.ts'
import { keyForm } from './key-form.ts'
import { field, form, headline, type Mistake, message, mistakeSummary } from './parts.ts'
import type { Failure, Person } from './sign-in-ports.ts'
import { mishap, type PagePlan, type Shown, type Visit } from './site.ts'

type Answer = Shown | PageAnswer

const LONGEST_NAME = 200

function useOf(from: URLSearchParams): KeyUse {
  return from.get('use') === 'second_factor' ? 'second_factor' : 'passkey'
}

function nameOf(from: URLSearchParams): string {
  return (from.get('name') ?? '').trim().slice(0, LONGEST_NAME)
}

export function accountDeeds(needs: SessionPageNeeds): Readonly<Record<string, PagePlan>> {
  const { ports } = needs
  const { account } = ports

  const back = ({ lang }: Visit, done: string): PageAnswer => seeOther(address(PATHS.account, { done, lang }))
  /** What no longer is there, or cannot be done, is seen on the page itself. */
  const fail = (visit: Visit, failure: Failure) =>
    showFailure(visit, failure, () => {
      const { title, text } = visit.texts.notDone
      const home = html`<p><a class="button quiet" href=${PATHS.account}>${visit.texts.account.back}</a></p>`
      return { status: 400, title, content: message(title, [text], home) }
    })

  /** A plan whose forms come from somebody signed in, and lately where it is about ways to sign in. */
  const plan = (
    path: string,
    { isFresh }: { readonly isFresh: boolean },
    post: (visit: Visit, person: Person, fields: URLSearchParams) => Promise<Answer>,
    get?: (visit: Visit, person: Person) => Promise<Answer>,
  ): PagePlan => {
    const admit = async (visit: Visit, fields?: URLSearchParams): Promise<Person | PageAnswer> => {
      const found = await requireStep(needs, visit, 'none')
      if (isElsewhere(found)) return found
      if (found.person.isFresh || !isFresh) return found.person
      // A form cannot be sent again from there; a page can be opened again.
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

  const sessions = plan(PATHS.sessions, { isFresh: false }, async (visit, person, fields) => {
    const isOne = fields.get('do') === 'end'
    const ended = await account.endSessions(person, isOne ? (fields.get('id') ?? '') : undefined)
    return ended.outcome === 'done' ? back(visit, 'session') : fail(visit, ended)
  })

  const showNew = (visit: Visit, use: KeyUse, mistakes: readonly Mistake[] = []): Shown => {
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

  const showRename = async (visit: Visit, person: Person, id: string, mistakes: readonly Mistake[] = []) => {
    const { texts, lang } = visit
    const known = (await account.read(person)).keys.find((key) => key.id === id)
    if (known === undefined) return mishap(texts, 404, 'notFound')
    const name = field({
      name: 'name',
      label: texts.newKey.name,
      autocomplete: 'off',
      value: known.name,
      mistakes,
      isFirst: true,
    })
    return {
      status: mistakes.length > 0 ? 422 : 200,
      title: texts.newKey.rename,
      content: html`
        ${mistakeSummary(texts, mistakes)}
        ${headline(texts.newKey.rename)}
        ${form(PATHS.keys, { do: 'rename', id, use: known.use, lang }, texts.newKey.save, name)}
        <p class="aside"><a href=${address(PATHS.account, { lang })}>${texts.account.back}</a></p>
      `,
    }
  }

  const addKey = async (visit: Visit, person: Person, fields: URLSearchParams): Promise<Answer> => {
    const { texts } = visit
    const use = useOf(fields)
    if (!fields.has('credential')) {
      const asked = await account.startKey(person, use, clientOf(visit))
      if (asked.outcome !== 'asked') return tellFailure(visit, asked, texts.keys.refused)
      return json({ publicKey: asked.publicKey, keyId: asked.keyId })
    }
    const given = { keyId: fields.get('keyId') ?? '', credential: readCredential(fields) ?? {}, name: nameOf(fields) }
    const made = await account.finishKey(person, { use, ...given })
    if (made.outcome === 'done') return back(visit, 'key')
    return showFailure(visit, made, () => showNew(visit, use, [{ field: '', sentence: texts.keys.refused }]))
  }

  const removeKey = async (visit: Visit, person: Person, fields: URLSearchParams): Promise<Answer> => {
    const gone = await account.removeKey(person, { use: useOf(fields), keyId: fields.get('id') ?? '' })
    if (gone.outcome !== 'done') return fail(visit, gone)
    // Not led on, because only this answer may tell password managers to forget it.
    return showAccount(visit, person, await account.read(person), 'removed', gone.signal)
  }

  const keys = plan(
    PATHS.keys,
    { isFresh: true },
    async (visit, person, fields) => {
      const id = fields.get('id') ?? ''
      switch (fields.get('do')) {
        case 'rename': {
          const name = nameOf(fields)
          const renamed = await account.renameKey(person, { use: useOf(fields), keyId: id, name })
          return renamed.outcome === 'done' ? back(visit, 'renamed') : fail(visit, renamed)
        }
        case 'remove':
          return removeKey(visit, person, fields)
        default:
          return addKey(visit, person, fields)
      }
    },
    async (visit, person) => {
      const { query } = visit.request
      const id = query.get('rename')
      return id === null ? showNew(visit, useOf(query)) : showRename(visit, person, id)
    },
  )

  const links = plan(PATHS.links, { isFresh: true }, async (visit, person, fields) => {
    const link = { idpId: fields.get('idp') ?? '', externalUserId: fields.get('account') ?? '' }
    const removed = await account.removeLink(person, link)
    return removed.outcome === 'done' ? back(visit, 'removed') : fail(visit, removed)
  })

  const totp = plan(PATHS.totp, { isFresh: true }, async (visit, person, fields) => {
    const target = { action: PATHS.totp, kept: { lang: visit.lang } }
    switch (fields.get('do')) {
      case 'remove': {
        const removed = await account.removeTotp(person)
        return removed.outcome === 'done' ? back(visit, 'removed') : fail(visit, removed)
      }
      case 'verify': {
        const verified = await account.finishTotp(person, (fields.get('code') ?? '').trim().slice(0, 100))
        if (verified.outcome === 'done') return back(visit, 'app')
        const app = readApp(fields)
        if (app === undefined) return fail(visit, verified)
        const mistakes = [{ field: 'code', sentence: visit.texts.app.refused }]
        return showFailure(visit, verified, () => showApp(visit, app, target, mistakes))
      }
      default: {
        const app = await account.startTotp(person)
        return app.outcome === 'done' ? showApp(visit, app, target) : fail(visit, app)
      }
    }
  })

  const otp = plan(PATHS.otp, { isFresh: true }, async (visit, person, fields) => {
    const medium = fields.get('medium') === 'sms' ? 'sms' : 'email'
    const set = await account.setOtp(person, medium, fields.get('do') === 'on')
    return set.outcome === 'done' ? back(visit, 'otp') : fail(visit, set)
  })

  const recoveryCodes = plan(PATHS.recoveryCodes, { isFresh: true }, async (visit, person) => {
    const made = await account.makeRecoveryCodes(person)
    if (made.outcome !== 'done') return fail(visit, made)
    const { title, lead, once } = visit.texts.recoveryCodes
    return {
      title,
      content: html`
        ${headline(title)}
        <p class="lead">${lead}</p>
        <ol class="codes">${made.codes.map((code) => html`<li><code>${code}</code></li>`)}</ol>
        <p class="note">${once}</p>
        <p><a class="button" href=${address(PATHS.account, { lang: visit.lang })}>${visit.texts.account.back}</a></p>
      `,
    }
  })

  return {
    [PATHS.sessions]: sessions,
    [PATHS.keys]: keys,
    [PATHS.links]: links,
    [PATHS.totp]: totp,
    [PATHS.otp]: otp,
    [PATHS.recoveryCodes]: recoveryCodes,
  }
}
