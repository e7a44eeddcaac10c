import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { client, type Drafts, readRealm } from '../../../test/support/foreign-exports.ts'
import { describeSummary, MoveReport } from './report.ts'

const CONSOLE = 'https://id.example/ui/console'

function summaryOf({ remarks }: Pick<Drafts, 'remarks'>) {
  const report = new MoveReport(undefined, CONSOLE)
  for (const one of remarks) report.add({ type: 'not_carried', ...one })
  return report.finish({ source: 'keycloak', isDryRun: true })
}

function provider(alias: string, more: object, config: object = {}) {
  return {
    ...{ alias, internalId: `id-${alias}`, providerId: 'oidc', ...more },
    config: { clientId: 'c', clientSecret: 's', issuer: 'https://idp.example', ...config },
  }
}

const CB = { redirectUris: ['https://app.example/cb'] }
const EXPIRED = { attributes: { 'client.secret.expiration.time': '1' } }

suite('a report begins with what must be decided before people sign in', () => {
  const read = readRealm(
    {
      identityProviders: [
        provider('corp', { postBrokerLoginFlowAlias: 'codes' }, { filteredByClaim: 'true', claimFilterName: 'staff' }),
        provider('partner', { postBrokerLoginFlowAlias: 'codes' }),
        provider('open', {}),
        provider('two', {}, { issuer: 'https://a.example,https://b.example' }),
        provider('masked', {}, { clientSecret: '**********' }),
      ],
      clients: [
        client('shop', { ...CB, ...EXPIRED }),
        client('job', { serviceAccountsEnabled: true, standardFlowEnabled: false, ...EXPIRED }),
        client('bound', { ...CB, attributes: { 'request.object.required': 'request only' } }),
        client('usual', CB),
      ],
      browserFlow: 'own',
      smtpServer: { host: 'smtp.example' },
    },
    { target: 'instance' },
  )

  test('each kind with its number, its reasons and links to the console', async () => {
    const { toDecide } = summaryOf(await read)
    assert.deepEqual(
      toDecide.map(({ todo, kind, count }) => [todo, kind, count]),
      [
        ['activate', 'settings', 1],
        ['activate', 'identity-provider', 2],
        ['activate', 'application', 1],
        ['secret', 'identity-provider', 1],
        ['secret', 'machine', 1],
        ['secret', 'application', 1],
        ['check', 'flow', 1],
        ['check', 'identity-provider', 1],
      ],
    )
    const [corp, partner] = toDecide[1]?.objects ?? []
    assert.deepEqual([corp?.id, corp?.link], ['corp', `${CONSOLE}/identity-providers/id-corp`])
    assert.match(corp?.reasons.join(' ') ?? '', /staff.*codes|codes.*staff/)
    assert.equal(partner?.reasons.length, 1)
    assert.match(toDecide[5]?.objects[0]?.link ?? '', /console\/projects\/[^/]+\/applications\/id-shop$/)
    assert.match(toDecide[4]?.objects[0]?.link ?? '', /console\/users\/[^/]+$/)
  })

  test('on a terminal, and as JSON', async () => {
    const summary = summaryOf(await read)
    assert.ok(JSON.stringify(summary).startsWith('{"toDecide":[{"todo":"activate"'))
    const lines = describeSummary(summary)
    assert.equal(lines[0], 'Decide before people sign in:')
    assert.ok(lines.includes('2 identity providers are not active:'))
    assert.ok(lines.includes('1 application needs a new secret or key:'))
    const line = lines.find((one) => one.startsWith('  corp: '))
    assert.ok(line?.endsWith(`${CONSOLE}/identity-providers/id-corp`), line ?? '')
  })

  test('and with nothing else where there is nothing to decide', async () => {
    const nothing = summaryOf(await readRealm({ clients: [client('usual', CB)] }))
    assert.deepEqual(nothing.toDecide, [])
    assert.notEqual(describeSummary(nothing)[0], 'Decide before people sign in:')
  })

  test('however many there are: the rest is counted', () => {
    const remarks = Array.from({ length: 500 }, (_, index) => ({
      ...{ kind: 'application', id: `app-${index}`, reason: 'The export has no secret for it.' },
      toDecide: { todo: 'secret', page: `/projects/p/applications/${index}` } as const,
    }))
    const summary = summaryOf({ remarks })
    assert.deepEqual([summary.toDecide[0]?.count, summary.toDecide[0]?.objects.length], [500, 100])
    assert.ok(describeSummary(summary).includes('  and 480 more.'))
  })
})
