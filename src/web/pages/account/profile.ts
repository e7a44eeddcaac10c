/** The names and the language of a person. */
import { html } from 'htm/preact'
import { changeOwnProfile, type OwnProfile, readAccount, useAddressAsName } from '../../../features/account/index.ts'
import { LANGUAGES } from '../../../kernel/languages.ts'
import { PATHS } from '../../browser.ts'
import type { PageTools } from '../../page-tools.ts'
import { field, form, headline, type Mistake, mistakeSummary } from '../../parts.ts'
import type { PagePlan, Shown, Visit } from '../../site.ts'
import { actionPage, backToAccount, showNotDone } from './actions.ts'

const LONGEST = 200
const NAMES = ['firstName', 'lastName', 'nickName', 'displayName'] as const
const AUTOCOMPLETE = {
  firstName: 'given-name',
  lastName: 'family-name',
  nickName: 'nickname',
  displayName: 'name',
} as const

function readProfile(fields: URLSearchParams): OwnProfile {
  const read = (name: string) =>
    (fields.get(name) ?? '')
      .replaceAll('\0', '')
      .slice(0, LONGEST + 1)
      .trim()
  return {
    firstName: read('firstName'),
    lastName: read('lastName'),
    nickName: read('nickName'),
    displayName: read('displayName'),
    preferredLanguage: read('preferredLanguage'),
  }
}

function showProfile(visit: Visit, given: OwnProfile, mistakes: readonly Mistake[] = []): Shown {
  const { texts, lang } = visit
  const words = texts.profile
  const languages = Object.entries(LANGUAGES)
  const isOther = given.preferredLanguage !== '' && !Object.hasOwn(LANGUAGES, given.preferredLanguage)
  const inputs = html`
    ${NAMES.map((name) =>
      field({
        name,
        label: words[name],
        autocomplete: AUTOCOMPLETE[name],
        value: given[name],
        mistakes,
        isFirst: name === 'firstName',
        isOptional: name === 'nickName' || name === 'displayName',
      }),
    )}
    <div class="field">
      <label for="preferredLanguage">${words.language}</label>
      <select id="preferredLanguage" name="preferredLanguage">
        <option value="" selected=${given.preferredLanguage === ''}>${words.noLanguage}</option>
        ${isOther && html`<option selected>${given.preferredLanguage}</option>`}
        ${languages.map(([tag, name]) => html`<option value=${tag} selected=${tag === given.preferredLanguage}>${name}</option>`)}
      </select>
    </div>
  `
  return {
    status: mistakes.length > 0 ? 422 : 200,
    title: words.title,
    content: html`
      ${mistakeSummary(texts, mistakes)}
      ${headline(words.title)}
      ${form(PATHS.profile, { lang }, words.save, inputs)}
      <p class="aside"><a href=${PATHS.account}>${texts.account.back}</a></p>
    `,
  }
}

export function profilePage(tools: PageTools): PagePlan {
  const { app } = tools
  return actionPage(tools, {
    path: PATHS.profile,
    needsRecentSignIn: false,
    async get(visit, person) {
      return showProfile(visit, (await readAccount(app, person)).profile)
    },
    async post(visit, person, fields) {
      if (fields.get('do') === 'name') {
        const renamed = await useAddressAsName(app, person)
        return renamed.outcome === 'done' ? backToAccount(visit, 'saved') : showNotDone(visit, renamed)
      }
      const given = readProfile(fields)
      const changed = await changeOwnProfile(app, person, given)
      if (changed.outcome === 'done') return backToAccount(visit, 'saved')
      if (changed.outcome !== 'mistaken') return showNotDone(visit, changed)
      const sentence = visit.texts.profile.wrong
      return showProfile(
        visit,
        given,
        changed.fields.map((name) => ({ field: name, sentence })),
      )
    },
  })
}
