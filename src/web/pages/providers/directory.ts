/** Asks for the name and password of an account in an LDAP directory, for the sign-in that the address belongs to. */
import { html } from 'htm/preact'
import { answerDirectory, directoryToAsk } from '../../../features/sign-in/index.ts'
import type { PageAnswer } from '../../../http/page.ts'
import { whereaboutsOf } from '../../../http/user-agent.ts'
import { seeOther } from '../../addresses.ts'
import { PATHS, showFailure } from '../../browser.ts'
import { browserOf } from '../../browser-cookie.ts'
import type { PageTools } from '../../page-tools.ts'
import { field, form, headline, type Mistake, mistakeSummary } from '../../parts.ts'
import { type PagePlan, problemPage, type Shown, type Visit } from '../../site.ts'
import { clean, LONGEST_NAME } from '../sign-in/sign-in-forms.ts'
import { showProviderFailure } from './provider-failure.ts'

const LONGEST_PASSWORD = 200

function visitOf({ externalUrl }: PageTools, { request, asked }: Visit) {
  return { state: asked.get('state'), browser: browserOf(request, externalUrl), from: whereaboutsOf(request) }
}

function show(visit: Visit, directory: string, mistakes: readonly Mistake[] = []): Shown {
  const { texts, asked, lang } = visit
  const title = texts.external.signInWith({ providerName: directory })
  const fields = html`
    ${field({
      name: 'userName',
      label: texts.userName,
      autocomplete: 'username',
      value: clean(asked.get('userName'), LONGEST_NAME),
      mistakes,
      isFirst: true,
    })}
    ${field({
      name: 'password',
      label: texts.signIn.password,
      type: 'password',
      reveal: texts.signIn.show,
      autocomplete: 'current-password',
      mistakes,
    })}
  `
  return {
    status: mistakes.length > 0 ? 422 : 200,
    title,
    hasScript: true,
    content: html`
      ${mistakeSummary(texts, mistakes)}
      ${headline(title)}
      ${form(PATHS.directory, { state: asked.get('state') ?? '', lang }, texts.signIn.button, fields)}
    `,
  }
}

/** Browsers hold the target of a form's redirect to the policy of the form; so a page leads to other sites by itself. */
function leadOn({ externalUrl }: PageTools, { texts }: Visit, url: string): Shown | PageAnswer {
  if (new URL(url).origin === externalUrl.origin) return seeOther(url)
  const { title, go } = texts.signedIn
  return {
    title,
    headers: { refresh: `0; url=${url}` },
    content: html`${headline(title)}<p><a class="button" href=${url}>${go}</a></p>`,
  }
}

async function submit(tools: PageTools, visit: Visit, fields: URLSearchParams): Promise<Shown | PageAnswer> {
  const startedAt = performance.now()
  const { texts } = visit
  const given = visitOf(tools, visit)
  const directory = await directoryToAsk(tools.app, given)
  if (directory === undefined) return problemPage(texts, 400, 'signInFailed')
  const userName = clean((fields.get('userName') ?? '').trim(), LONGEST_NAME)
  const password = clean(fields.get('password'), LONGEST_PASSWORD)
  const mistakes = [
    ...(userName === '' ? [{ field: 'userName', sentence: texts.signIn.nameMissing }] : []),
    ...(password === '' ? [{ field: 'password', sentence: texts.signIn.passwordMissing }] : []),
  ]
  if (mistakes.length > 0) return show(visit, directory, mistakes)
  const answered = await answerDirectory(tools.app, given, { userName, password })
  switch (answered.outcome) {
    case 'done':
      return leadOn(tools, visit, answered.url)
    case 'unknown':
      return problemPage(texts, 400, 'signInFailed')
    case 'unavailable':
      return showProviderFailure(visit, 'unavailable', directory)
    default:
      return showFailure(visit, answered, async () => {
        await tools.delayRefusal(startedAt)
        return show(visit, directory, [{ field: 'userName', sentence: texts.signIn.refused }])
      })
  }
}

export function directoryPage(tools: PageTools): PagePlan {
  return {
    async get(visit) {
      const directory = await directoryToAsk(tools.app, visitOf(tools, visit))
      return directory === undefined ? problemPage(visit.texts, 400, 'signInFailed') : show(visit, directory)
    },
    post: (visit, fields) => submit(tools, visit, fields),
  }
}
