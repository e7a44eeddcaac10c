/** A new e-mail address or phone number: first where a code is sent, then the code. The old one counts until then. */
import { html } from 'htm/preact'
import {
  confirmOwnContact,
  findOwnNewContact,
  removeOwnPhone,
  replaceOwnContact,
} from '../../../features/account/index.ts'
import { address, seeOther } from '../../addresses.ts'
import { PATHS, showFailure } from '../../browser.ts'
import type { PageTools } from '../../page-tools.ts'
import { field, form, headline, type Mistake, mistakeSummary } from '../../parts.ts'
import type { PagePlan, Shown, Visit } from '../../site.ts'
import { actionPage, backToAccount, showNotDone } from './actions.ts'

type Contact = 'email' | 'phone'

const LONGEST = 200

function contactOf(asked: URLSearchParams): Contact {
  return asked.get('kind') === 'phone' ? 'phone' : 'email'
}

function read(fields: URLSearchParams, name: string): string {
  const text = fields.get(name) ?? ''
  return text.length > LONGEST || text.includes('\0') ? '' : text.trim()
}

function showTarget(visit: Visit, contact: Contact, value: string, mistakes: readonly Mistake[] = []): Shown {
  const { texts, lang } = visit
  const words = texts.contact
  const title = contact === 'email' ? words.emailTitle : words.phoneTitle
  const input = field({
    name: 'target',
    label: contact === 'email' ? words.email : words.phone,
    type: contact === 'email' ? 'email' : 'tel',
    autocomplete: contact === 'email' ? 'email' : 'tel',
    value,
    mistakes,
    isFirst: true,
  })
  return {
    status: mistakes.length > 0 ? 422 : 200,
    title,
    content: html`
      ${mistakeSummary(texts, mistakes)}
      ${headline(title)}
      <p class="lead">${words.lead}</p>
      ${form(PATHS.contact, { kind: contact, do: 'send', lang }, words.send, input)}
      <p class="aside"><a href=${PATHS.account}>${texts.account.back}</a></p>
    `,
  }
}

function showCode(visit: Visit, contact: Contact, target: string, mistakes: readonly Mistake[] = []): Shown {
  const { texts, lang } = visit
  const words = texts.contact
  const input = field({ name: 'code', label: words.code, autocomplete: 'one-time-code', mistakes, isFirst: true })
  return {
    status: mistakes.length > 0 ? 422 : 200,
    title: words.codeTitle,
    content: html`
      ${mistakeSummary(texts, mistakes)}
      ${headline(words.codeTitle)}
      <p class="lead">${words.codeLead({ target })}</p>
      ${form(PATHS.contact, { kind: contact, do: 'confirm', target, lang }, words.confirm, input)}
      <p class="aside"><a href=${address(PATHS.contact, { kind: contact, again: 'yes', lang })}>${words.again}</a></p>
    `,
  }
}

export function contactPage(tools: PageTools): PagePlan {
  const { app } = tools
  return actionPage(tools, {
    path: PATHS.contact,
    needsRecentSignIn: true,
    async get(visit, person) {
      const contact = contactOf(visit.asked)
      const waiting = visit.asked.has('again') ? undefined : await findOwnNewContact(app, person, contact)
      return waiting === undefined ? showTarget(visit, contact, '') : showCode(visit, contact, waiting)
    },
    async post(visit, person, fields) {
      const contact = contactOf(fields)
      const target = read(fields, 'target')
      const words = visit.texts.contact
      switch (fields.get('do')) {
        case 'remove': {
          const removed = await removeOwnPhone(app, person)
          return removed.outcome === 'done' ? backToAccount(visit, 'removed') : showNotDone(visit, removed)
        }
        case 'confirm': {
          const done = await confirmOwnContact(app, person, { contact, target, code: read(fields, 'code') })
          if (done.outcome === 'done') return backToAccount(visit, 'saved')
          const mistakes = [{ field: 'code', sentence: words.codeWrong }]
          return showFailure(visit, done, () => showCode(visit, contact, target, mistakes))
        }
        default: {
          const sent = await replaceOwnContact(app, person, { contact, text: target })
          if (sent.outcome === 'done') return seeOther(address(PATHS.contact, { kind: contact, lang: visit.lang }))
          const sentence = contact === 'email' ? words.emailWrong : words.phoneWrong
          if (sent.outcome === 'mistaken') return showTarget(visit, contact, target, [{ field: 'target', sentence }])
          return showNotDone(visit, sent)
        }
      }
    },
  })
}
