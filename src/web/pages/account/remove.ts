/** Asks before a way to sign in is removed, and names it. The form leads to the page that removes it. */
import { html } from 'htm/preact'
import { type Account, readAccount } from '../../../features/account/index.ts'
import { address } from '../../addresses.ts'
import { PATHS } from '../../browser.ts'
import type { PageTools } from '../../page-tools.ts'
import { type Content, form, headline } from '../../parts.ts'
import { type PagePlan, problemPage, type Visit } from '../../site.ts'
import type { Texts } from '../../texts/en.ts'
import { actionPage } from './actions.ts'

/** What is removed, in the parameters of the question. */
type Removal = Readonly<Record<string, string>> & { readonly what: 'key' | 'totp' | 'otp' | 'link' }

interface Question {
  readonly name: string
  readonly isFactor: boolean
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
}

/** The link to the question, as a small button. */
export function removalLink({ texts, lang }: Visit, removal: Removal, button: string, name: string): Content {
  const href = address(PATHS.remove, { ...removal, lang })
  return html`<a class="button small grave" href=${href} aria-label=${texts.buttons.labelled({ button, name })}>${button}</a>`
}

function questionOf(
  { account: words, external }: Texts,
  account: Account,
  asked: URLSearchParams,
): Question | undefined {
  const get = (name: string) => asked.get(name) ?? ''
  switch (get('what')) {
    case 'key': {
      const key = account.keys.find(({ id, use }) => id === get('id') && use === get('use'))
      if (key === undefined || key.isLastWay) return undefined
      const fields = { do: 'remove', id: key.id, use: key.use }
      return { name: key.name || words.unnamed, isFactor: key.use === 'second_factor', path: PATHS.keys, fields }
    }
    case 'totp':
      if (!account.hasTotp) return undefined
      return { name: words.app, isFactor: true, path: PATHS.totp, fields: { do: 'remove' } }
    case 'otp': {
      const medium = get('medium') === 'sms' ? 'sms' : 'email'
      if (!account.otp[medium].isOn) return undefined
      const name = medium === 'sms' ? words.otpSms : words.otpEmail
      return { name, isFactor: true, path: PATHS.otp, fields: { do: 'off', medium } }
    }
    case 'link': {
      const link = account.links.find((one) => one.idpId === get('idp') && one.externalUserId === get('account'))
      if (link === undefined || link.isLastWay) return undefined
      const fields = { do: 'remove', idp: link.idpId, account: link.externalUserId }
      const name = `${link.providerName ?? external.unknown} · ${link.accountName}`
      return { name, isFactor: false, path: PATHS.links, fields }
    }
    default:
      return undefined
  }
}

/** The page with the question. */
export function removePage(tools: PageTools): PagePlan {
  const { get } = actionPage(tools, {
    path: PATHS.remove,
    needsRecentSignIn: true,
    post: async (visit) => problemPage(visit.texts, 405, 'notAllowed', { allow: 'GET, HEAD' }),
    async get(visit, person) {
      const { texts, lang } = visit
      const question = questionOf(texts, await readAccount(tools.app, person), visit.request.query)
      if (question === undefined) return problemPage(texts, 404, 'notFound')
      const { name, isFactor, path, fields } = question
      const isOff = fields.do === 'off'
      const title = isOff ? texts.removal.turnOff({ name }) : texts.removal.remove({ name })
      const button = isOff ? texts.account.switchOff : texts.account.remove
      return {
        title,
        content: html`
          ${headline(title)}
          <p class="lead">${isFactor ? texts.removal.factorLead : texts.removal.lead}</p>
          ${form(path, { ...fields, lang }, button)}
          <p><a class="button quiet" href=${address(PATHS.account, { lang })}>${texts.removal.cancel}</a></p>
        `,
      }
    },
  })
  return { get }
}
