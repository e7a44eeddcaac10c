/** The order of the documentation: in the sidebar, and in the list for coding agents. */
import { globSync } from 'node:fs'

export interface Section {
  readonly title: string
  /** Without `.md`, in the order of the section. */
  readonly pages: readonly string[]
}

const sections: readonly Section[] = [
  {
    title: 'Get started',
    pages: [
      'guides/protect-a-web-app',
      'reference/frameworks',
      'guides/protect-an-api',
      'guides/machine-to-machine',
      'guides/server-kit',
      'guides/test-your-app',
    ],
  },
  {
    title: 'Guides',
    pages: [
      'how-to/sign-people-in',
      'guides/build-your-own-sign-in-page',
      'how-to/sign-in-with-other-providers',
      'guides/saml',
      'guides/groups',
      'guides/directory-sync',
      'how-to/protect-an-mcp-server',
      'guides/let-agents-act-for-users',
      'guides/ask-for-approval',
      'how-to/high-assurance',
      'guides/actions',
      'guides/webhooks',
      'guides/follow-events',
      'guides/shared-signals',
      'guides/terraform',
    ],
  },
  {
    title: 'Operate',
    pages: [
      'how-to/install',
      'how-to/run-in-production',
      'how-to/set-up-mail',
      'how-to/receive-sms-webhooks',
      'how-to/audit',
      'how-to/observe',
      'how-to/back-up-and-move',
      'how-to/scale',
    ],
  },
  {
    title: 'Move in',
    pages: [
      'guides/move-from-keycloak',
      'guides/move-from-auth0',
      'guides/move-from-zitadel',
      'guides/import-in-the-console',
      'how-to/import-users',
      'guides/leave-or-return',
    ],
  },
  {
    title: 'Reference',
    pages: [
      'reference/api',
      'reference/errors',
      'reference/configuration',
      'reference/alerts',
      'reference/scopes-and-claims',
      'reference/page-texts',
      'reference/export-format',
      'reference/stability',
    ],
  },
  {
    title: 'Design notes',
    pages: [
      'explanation/security-model',
      'explanation/hosted-pages',
      'explanation/scale',
      'explanation/how-we-write',
      'architecture',
      'how-to/measure-speed',
      'how-to/test-faults',
      'how-to/search-for-leaks',
    ],
  },
]

/** The sections of the pages in `docs`; throws where a page has no place, or a place no page. */
export function readSections(docs: string): readonly Section[] {
  const placed = sections.flatMap(({ pages }) => pages)
  const files = globSync('{architecture,{guides,how-to,reference,explanation}/*}.md', { cwd: docs })
  const pages = files.map((file) => file.replace(/\.md$/, ''))
  const missing = pages.filter((page) => !placed.includes(page))
  const unknown = placed.filter((page) => !pages.includes(page))
  if (missing.length + unknown.length > 0) {
    throw new Error(`docs/.vitepress/sections.ts has no place for [${missing}], and no page is called [${unknown}]`)
  }
  return sections
}
