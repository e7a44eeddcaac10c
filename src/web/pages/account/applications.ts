/** The applications with access, on the account page, and taking it back. */
import { html } from 'htm/preact'
import type { Account } from '../../../features/account/index.ts'
import { readScopes } from '../../../features/authorization-requests/index.ts'
import { takeAccessBack } from '../../../features/grants/index.ts'
import { PATHS } from '../../browser.ts'
import type { PageTools } from '../../page-tools.ts'
import type { Content } from '../../parts.ts'
import type { PagePlan, Visit } from '../../site.ts'
import { time } from '../../times.ts'
import { scopeSentences } from '../applications/scopes.ts'
import { actionPage, backToAccount } from './actions.ts'
import { actionsOf, row, section } from './parts.ts'

export function applicationsSection(visit: Visit, { applications }: Account): Content {
  const { texts, language } = visit
  const words = texts.access
  const rows = applications.map(({ applicationId, name, isUnverified, scopes, resources, firstUsedAt, lastUsedAt }) => {
    const sentences = scopeSentences(texts, readScopes(scopes.join(' ')))
    const lines = [
      ...(sentences.length > 0 ? [sentences.join(' · ')] : []),
      ...resources.map(({ uri, sentences: there }) => [uri, ...there].join(' · ')),
    ]
    return row(
      isUnverified ? `${name} (${texts.asking.unverified})` : name,
      html`
        ${words.firstUsed} ${time(firstUsedAt, language)} · ${words.lastUsed} ${time(lastUsedAt, language)}
        ${lines.map((line) => html`<br />${line}`)}
      `,
      actionsOf(visit)(PATHS.applications, { id: applicationId }, words.remove, {
        isGrave: true,
        label: `${words.remove}: ${name}`,
      }),
    )
  })
  return section(words.title, 'applications', applications.length === 0 ? words.none : words.lead, rows)
}

export function applicationsPage(tools: PageTools): PagePlan {
  const { app } = tools
  return actionPage(tools, {
    path: PATHS.applications,
    needsRecentSignIn: false,
    async post(visit, { userId }, fields) {
      await takeAccessBack(app, { actor: { user: userId }, at: app.clock() }, userId, fields.get('id') ?? '')
      return backToAccount(visit, 'access')
    },
  })
}
