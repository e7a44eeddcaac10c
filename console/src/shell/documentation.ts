/** Which page of the documentation belongs to which area of the console: the only place that knows. */
import { PATHS } from '../../../src/kernel/page-paths.ts'

/** By the beginning of the path; the longest one that fits counts. */
export const DOCUMENTATION: Readonly<Record<string, string>> = {
  '/': '',
  '/users': 'how-to/sign-people-in',
  '/users/import': 'how-to/import-users',
  '/groups': 'guides/groups',
  '/organizations': 'explanation/security-model',
  '/applications': 'guides/protect-a-web-app',
  '/projects': 'guides/protect-a-web-app',
  '/protect-an-app': 'guides/protect-a-web-app',
  '/identity-providers': 'how-to/sign-in-with-other-providers',
  '/directory-sync': 'guides/directory-sync',
  '/sign-in': 'explanation/hosted-pages',
  '/agents': 'how-to/protect-an-mcp-server',
  '/branding': 'explanation/hosted-pages',
  '/mail': 'how-to/set-up-mail',
  '/sms': 'how-to/receive-sms-webhooks',
  '/webhooks': 'guides/webhooks',
  '/actions': 'guides/actions',
  '/signals': 'guides/shared-signals',
  '/administrators': 'explanation/security-model',
  '/web-keys': 'reference/scopes-and-claims',
  '/audit': 'how-to/audit',
  '/settings': 'reference/configuration',
  '/settings/import': 'guides/import-in-the-console',
}

/** The address of the page that explains the area at this path of the console. */
export function documentationFor(path: string): string {
  const fitting = Object.keys(DOCUMENTATION).filter((area) => `${path}/`.startsWith(area === '/' ? area : `${area}/`))
  const area = fitting.sort((one, other) => other.length - one.length)[0] ?? '/'
  return `${PATHS.docs}/${DOCUMENTATION[area]}`
}
