/** Every page of the console: its routes as the console declares them, and addresses of each in a world with names of markup. */
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page, Request } from 'playwright-core'
import type { ConsoleWorld } from '../support/console.ts'
import { serviceProvider } from '../support/service-provider.ts'

const PAGES = fileURLToPath(new URL('../../console/src/pages/', import.meta.url))

/** A script in this would complain in the browser. */
export const CANARY = `<img src=x onerror="throw Error('markup')"><script>throw Error('markup')</script>`

interface DeclaredRoute {
  readonly options: { readonly path: string }
}

/** The paths of all routes, such as `/users/$userId`. */
export async function declaredRoutes(): Promise<readonly string[]> {
  const files = globSync('*/routes.ts', { cwd: PAGES })
  const areas = await Promise.all(files.map((file) => import(`${PAGES}${file}`)))
  const routes = areas.flatMap((area: Record<string, readonly DeclaredRoute[]>) => Object.values(area).flat())
  return routes.map(({ options }) => options.path).sort()
}

/** Creates one object of each kind, and answers the addresses of each route. */
export async function addressesOf(world: ConsoleWorld, userId: string): Promise<Readonly<Record<string, string[]>>> {
  const add = async (path: string, body: unknown, field: string): Promise<string> =>
    (await world.call('POST', path, body))[field] as string
  const organizationId = await add('/v2/organizations', { name: `Org ${CANARY}` }, 'organizationId')
  const machine = { userName: 'robot', name: `Robot ${CANARY}` }
  const machineId = await add('/management/v1/users/machine', machine, 'userId')
  const person = {
    username: 'markup',
    profile: { givenName: CANARY, familyName: 'Canary', displayName: CANARY },
    email: { email: 'canary@example.com', sendCode: {} },
  }
  await world.call('POST', '/v2/users/human', person)
  const projectId = await add('/management/v1/projects', { name: `Project ${CANARY}` }, 'id')
  const group = { organizationId, name: `Group ${CANARY}`, description: CANARY }
  const groupId = await add('/signet.group.v2.GroupService/CreateGroup', group, 'id')
  const project = `/management/v1/projects/${projectId}`
  await world.call('POST', `${project}/roles`, { roleKey: 'reader', displayName: `Reader ${CANARY}` })
  const scopes = [{ key: 'tools:read', description: `Read ${CANARY}` }]
  const resources = [{ uri: 'https://mcp.example.com/mcp', scopes, isDefault: true }]
  await world.call('POST', '/signet.project.v2.ProjectService/SetProjectResources', { projectId, resources })
  const agentAccess = { clientIdMetadataDocuments: true, dynamicRegistration: true }
  await world.call('POST', '/signet.project.v2.ProjectService/UpdateProject', { projectId, agentAccess })
  const oidc = {
    name: `App ${CANARY}`,
    redirectUris: ['https://app.example/callback'],
    responseTypes: ['OIDC_RESPONSE_TYPE_CODE'],
    grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE'],
    appType: 'OIDC_APP_TYPE_WEB',
    authMethodType: 'OIDC_AUTH_METHOD_TYPE_BASIC',
  }
  const appId = await add(`${project}/apps/oidc`, oidc, 'appId')
  const apiId = await add(`${project}/apps/api`, { name: 'API', authMethodType: 'API_AUTH_METHOD_TYPE_BASIC' }, 'appId')
  const saml = {
    name: `SAML ${CANARY}`,
    metadataXml: Buffer.from(serviceProvider('https://sp.example.com')).toString('base64'),
  }
  const samlId = await add(`${project}/apps/saml`, saml, 'appId')
  const idp = { name: `Corp ${CANARY}`, issuer: 'https://idp.example', clientId: 'x', clientSecret: 'y' }
  const idpId = await add('/admin/v1/idps/generic_oidc', idp, 'id')
  const webhookId = await add('/v2/webhooks', { endpoint: 'https://hooks.example/', name: CANARY }, 'webhookId')
  const target = { name: CANARY, endpoint: 'https://targets.example/', timeout: '5s', restAsync: {} }
  const targetId = await add('/v2/actions/targets', target, 'id')
  const signals = { issuer: 'https://idp.example', audience: 'https://id.example', jwksUri: 'https://idp.example/keys' }
  await add('/v2/signals/transmitters', { name: CANARY, ...signals, idpId }, 'transmitterId')
  const smsId = await add('/admin/v1/sms/http', { endpoint: 'https://sms.example/', description: CANARY }, 'id')
  const { webKeys } = (await world.call('GET', '/v2/web_keys')) as { readonly webKeys: readonly { id: string }[] }
  const mail = await world.nextMail('canary@example.com')
  // A failure and, by the names of markup, whatever the page shows of them.
  const session = { checks: { user: { loginName: 'markup' }, password: { password: 'wrong' } } }
  await world.call('POST', '/v2/sessions', session).catch(() => {})
  const { signIns: [signIn] = [] } = (await world.call('GET', '/v2/sign-ins')) as { signIns?: { id: string }[] }
  return {
    '/': ['/'],
    '/protect-an-app': ['/protect-an-app', '/protect-an-app?framework=next', '/protect-an-app?framework=api'],
    '/users': ['/users'],
    '/users/new': ['/users/new'],
    '/users/new-machine': ['/users/new-machine'],
    '/users/invite': ['/users/invite'],
    '/users/import': ['/users/import'],
    '/users/$userId': [`/users/${userId}`, `/users/${machineId}`],
    '/groups': ['/groups'],
    '/groups/new': ['/groups/new'],
    '/groups/$groupId': [`/groups/${groupId}`],
    '/organizations': ['/organizations'],
    '/organizations/new': ['/organizations/new'],
    '/organizations/$organizationId': [`/organizations/${organizationId}`],
    '/applications': ['/applications'],
    '/projects': ['/projects'],
    '/projects/new': ['/projects/new'],
    '/projects/$projectId': [`/projects/${projectId}`],
    '/projects/$projectId/applications/new': [`/projects/${projectId}/applications/new`],
    '/projects/$projectId/applications/$applicationId': [
      `/projects/${projectId}/applications/${appId}`,
      `/projects/${projectId}/applications/${apiId}`,
      `/projects/${projectId}/applications/${samlId}`,
    ],
    '/identity-providers': ['/identity-providers'],
    '/identity-providers/new': ['/identity-providers/new'],
    '/identity-providers/new/$template': ['/identity-providers/new/oidc', '/identity-providers/new/saml'],
    '/identity-providers/$providerId': [`/identity-providers/${idpId}`],
    '/identity-providers/$providerId/test': [`/identity-providers/${idpId}/test`],
    '/directory-sync': ['/directory-sync'],
    '/mail': ['/mail'],
    '/mail/texts': ['/mail/texts'],
    '/mail/texts/$type/$language': ['/mail/texts/verify_email/en'],
    '/mail/queue': ['/mail/queue'],
    '/mail/inbox': ['/mail/inbox'],
    '/mail/inbox/$mailId': [`/mail/inbox/${mail.id}`],
    '/sms': ['/sms'],
    '/sms/new': ['/sms/new'],
    '/sms/$providerId': [`/sms/${smsId}`],
    '/webhooks': ['/webhooks'],
    '/webhooks/new': ['/webhooks/new'],
    '/webhooks/$webhookId': [`/webhooks/${webhookId}`],
    '/actions': ['/actions'],
    '/actions/new': ['/actions/new'],
    '/actions/$targetId': [`/actions/${targetId}`],
    '/signals': ['/signals'],
    '/sign-in': ['/sign-in'],
    '/sign-in/passwords': ['/sign-in/passwords'],
    '/sign-in/names': ['/sign-in/names'],
    '/agents': ['/agents'],
    '/agents/approvals': ['/agents/approvals'],
    '/agents/settings': ['/agents/settings'],
    '/branding': ['/branding'],
    '/branding/texts': ['/branding/texts', '/branding/texts?area=consent&language=ja'],
    '/web-keys': ['/web-keys'],
    '/web-keys/new': ['/web-keys/new'],
    '/web-keys/$keyId': [`/web-keys/${webKeys[0]?.id}`],
    '/administrators': ['/administrators'],
    '/administrators/$place/add': ['/administrators/instance/add'],
    '/administrators/$place/$userId': [`/administrators/instance/${userId}`],
    '/audit': ['/audit'],
    '/audit/events': ['/audit/events'],
    '/audit/sign-ins/$signInId': [`/audit/sign-ins/${signIn?.id}`],
    '/settings': ['/settings'],
    '/settings/tokens': ['/settings/tokens'],
    '/settings/links': ['/settings/links'],
    '/settings/features': ['/settings/features'],
    '/settings/import': ['/settings/import'],
  }
}

/** A way through the console without loading it again for each page. */
export interface Tour {
  /** Opens a page by its address, as a link in the console does, and waits until everything on it was read. */
  visit(path: string): Promise<void>
  /** Opens a tab of the page by its address. */
  visitTab(path: string, tab: string): Promise<void>
  /** The tabs of the page, by their names in addresses; empty where there are none. */
  tabs(): Promise<readonly string[]>
  /** Waits until no request is open and nothing says that it is loading. */
  settle(): Promise<void>
}

/** Starts a tour in a window of the console. */
export function startTour(page: Page): Tour {
  let open = 0
  const isCall = (url: string) => url.includes('/signet.')
  page.on('request', (request) => {
    if (isCall(request.url())) open += 1
  })
  const finish = (request: Request) => {
    if (isCall(request.url())) open -= 1
  }
  page.on('requestfinished', finish)
  page.on('requestfailed', finish)
  const settle = async () => {
    do {
      await page.waitForFunction(
        () =>
          document.querySelector('main :is(h1, [role=alert])') !== null &&
          document.querySelector('main :is(.mantine-Loader-root, [aria-busy=true])') === null,
      )
    } while (open > 0)
  }
  const go = async (path: string, tab?: string) => {
    await page.evaluate((to) => {
      // The page before stays until the next one is there, which sets the title.
      const pathOf = (address: string) => new URL(address, location.href).pathname.replace(/\/$/, '')
      if (pathOf(to) !== pathOf(location.href)) document.title = ''
      history.pushState({}, '', to)
    }, `/ui/console${path}`)
    await page.waitForFunction((value) => {
      const tabs = [...document.querySelectorAll('.scrolling-tabs [role=tab]')]
      const wanted = value === undefined ? tabs[0] : tabs.find(({ id }) => id.endsWith(`-tab-${value}`))
      const isThere = wanted === undefined ? value === undefined : wanted.ariaSelected === 'true'
      return document.title !== '' && isThere
    }, tab)
    await settle()
  }
  return {
    visit: (path) => go(path),
    visitTab: (path, tab) => go(`${path}?tab=${tab}`, tab),
    tabs: async () => {
      const tabs = page.locator('.scrolling-tabs').getByRole('tab')
      return tabs.evaluateAll((found) => found.map(({ id }) => id.replace(/^.*-tab-/, '')))
    },
    settle,
  }
}
