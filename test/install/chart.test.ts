/** The Helm chart agrees with the server: its version, and the settings that it sets. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

function read(file: string): string {
  return readFileSync(`${root}/${file}`, 'utf8')
}

suite('the Helm chart', () => {
  test('is of the version of the server', () => {
    const { version } = JSON.parse(read('package.json')) as { readonly version: string }
    assert.match(read('deploy/helm/Chart.yaml'), new RegExp(`^appVersion: ${version}$`, 'm'))
  })

  test('has the metrics on a port of their own, which neither the service of the clients nor the ingress leads to', () => {
    const pod = read('deploy/helm/templates/_names.tpl')
    assert.match(pod, /name: SIGNET_METRICS_LISTEN, value: "0\.0\.0\.0:9464"/)
    assert.match(pod, /name: metrics, containerPort: 9464/)
    const services = read('deploy/helm/templates/service.yaml').split(/^---$/m)
    const partOf = (word: string) => services.find((text) => text.includes(word)) ?? ''
    assert.ok(!partOf('.Values.service.port').includes('targetPort: metrics'))
    assert.match(partOf('targetPort: metrics'), /^ {2}type: ClusterIP$/m)
    assert.ok(!partOf('kind: Ingress').includes('metrics') && partOf('kind: Ingress').includes('port: { name: http }'))
    const monitor = read('deploy/helm/templates/operations.yaml').split(/^kind: ServiceMonitor$/m)[1] ?? ''
    assert.match(monitor, /port: metrics\n +path: \/metrics/)
    assert.match(monitor, /app\.kubernetes\.io\/component: metrics/)
    assert.ok(!monitor.includes('port: http'))
  })

  test('no port of another installation publishes the metrics', () => {
    assert.doesNotMatch(read('deploy/docker/compose.yaml'), /"[^"]*9464:9464"/)
    assert.doesNotMatch(read('deploy/docker/Dockerfile'), /EXPOSE.*9464/)
    assert.doesNotMatch(read('deploy/systemd/signet.service'), /SIGNET_METRICS_LISTEN=(?!127\.0\.0\.1:)/)
  })

  test('sets settings that exist', () => {
    const reference = read('docs/reference/configuration.md')
    const files = globSync('deploy/helm/{values.yaml,templates/*}', { cwd: root })
    const names = new Set(files.flatMap((file) => read(file).match(/\bSIGNET_\w+/g) ?? []))
    assert.ok(names.size > 5)
    for (const name of names) assert.ok(reference.includes(`| \`${name}\` |`), name)
  })
})
