/** Every metric that the dashboard and the alert rules ask for is one that a server answers. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { runServer } from '../faults/run-server.ts'

const deploy = new URL('../../deploy/grafana/', import.meta.url)

/** The metrics in an expression: names that are neither functions nor labels. */
function metricsIn(expression: string): readonly string[] {
  const withoutLabels = expression.replaceAll(/\{[^}]*\}/g, '').replaceAll(/\b(by|without)\s*\([^)]*\)/g, '')
  return [...withoutLabels.matchAll(/\b([a-z][a-z0-9_]*)\b(?!\s*\()/g)]
    .map(([, name = '']) => name)
    .filter((name) => name.includes('_') && !name.startsWith('__'))
}

suite('monitoring', () => {
  test('every metric of the dashboard and the alerts exists, and those that exist are explained', {
    timeout: 600_000,
  }, async () => {
    const server = await runServer('main', ['start'], { SIGNET_METRICS_LISTEN: '127.0.0.1:0' })
    const url = await server.url
    const portIn = (log: string) => /"port":(\d+),"msg":"metrics are served on their own port"/.exec(log)?.[1]
    while (portIn(server.stderr()) === undefined) await sleep(20)
    const port = portIn(server.stderr())
    const monitoring = `http://127.0.0.1:${port}`
    await fetch(`${url}/ui/login`)
    const answered = await (await fetch(`${monitoring}/metrics`)).text()
    // Nothing else is served there, and the main port has no metrics.
    const statuses = await Promise.all(
      [`${url}/metrics`, `${monitoring}/ui/login`, `${monitoring}/v2/users/1`, `${monitoring}/readyz`].map(
        async (address) => (await fetch(address)).status,
      ),
    )
    assert.deepEqual(statuses, [404, 404, 404, 200])
    server.child.kill('SIGTERM')
    await server.ended
    const dashboard = JSON.parse(await readFile(new URL('dashboard.json', deploy), 'utf8')) as {
      panels: { targets: { expr: string }[] }[]
    }
    const alerts = await readFile(new URL('alerts.yaml', deploy), 'utf8')
    const expressions = [
      ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
      ...[...alerts.matchAll(/^ +expr: (.+)$/gm)].map(([, expr = '']) => expr),
    ]
    assert.ok(expressions.length > 20)
    const asked = new Set(expressions.flatMap(metricsIn))
    const known = new Set([...answered.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name))
    const missing = [...asked].filter((name) => !known.has(name.replace(/_(bucket|sum|count)$/, '')))
    assert.deepEqual(missing, [])
    // Each alert says what it means, and leads to what to do about it.
    const runbook = await readFile(new URL('../../docs/reference/alerts.md', import.meta.url), 'utf8')
    const rules = alerts.split(/^ +- alert: /m).slice(1)
    assert.ok(rules.length > 15)
    for (const rule of rules) {
      const name = /^\w+/.exec(rule)?.[0] ?? assert.fail('an alert without a name')
      assert.match(rule, /^ +description: ".+"$/m, name)
      assert.ok(rule.includes(`/ui/docs/reference/alerts#${name.toLowerCase()}\n`), `${name} leads to its section`)
      assert.match(runbook, new RegExp(`^## ${name}\n\n.+\n\n1\\. `, 'm'), `${name} has a section`)
    }
    const page = await readFile(new URL('../../docs/how-to/observe.md', import.meta.url), 'utf8')
    const unexplained = [...known].filter((name) => name.startsWith('signet_') && !page.includes(`\`${name}`))
    assert.deepEqual(unexplained, [])
  })
})
