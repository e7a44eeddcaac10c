/** The Helm chart agrees with the server: its version, and the settings that it sets. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
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

  test('has a schema with every value and its kind, which refuses others', () => {
    interface Schema {
      readonly type?: string | readonly string[]
      readonly properties?: Readonly<Record<string, Schema>>
      readonly additionalProperties?: unknown
    }
    const schema = JSON.parse(read('deploy/helm/values.schema.json')) as Schema
    const declared = (one: Schema, path: string): readonly string[] =>
      Object.entries(one.properties ?? {}).flatMap(([name, next]) => [
        `${path}${name}`,
        ...declared(next, `${path}${name}.`),
      ])
    const sections: string[] = []
    const values = read('deploy/helm/values.yaml')
      .split('\n')
      .flatMap((line) => {
        const [, indent = '', name] = /^( *)([A-Za-z]+):/.exec(line) ?? []
        if (name === undefined) return []
        sections.splice(indent.length / 2)
        sections.push(name)
        return [sections.join('.')]
      })
    // Those in `resources` are of Kubernetes, and `global` is for charts that contain this one.
    const ours = values.filter((name) => !name.startsWith('resources.'))
    assert.deepEqual(
      declared(schema, '')
        .filter((name) => name !== 'global')
        .toSorted(),
      ours.toSorted(),
    )
    const closed = (one: Schema): boolean =>
      one.properties === undefined ||
      (one.additionalProperties === false && Object.values(one.properties).every(closed))
    assert.ok(closed(schema))
  })

  test('takes more settings from secrets, and more files', () => {
    const pod = read('deploy/helm/templates/_names.tpl')
    assert.match(pod, /\.Values\.extraEnvFrom \}\}\n {6}envFrom: \{\{- toYaml \. \| nindent 8 \}\}/)
    const [containers = '', volumes = ''] = pod.split(/^ {2}volumes:$/m)
    assert.match(containers.slice(containers.indexOf('volumeMounts:')), /\.Values\.extraVolumeMounts/)
    assert.match(volumes, /\.Values\.extraVolumes/)
  })

  const hasHelm = spawnSync('helm', ['version']).status === 0
  test('is what Helm accepts', { skip: !hasHelm && 'there is no helm on this machine' }, () => {
    const given = ['externalUrl=https://id.example.com', 'image.repository=registry.example.com/signet']
    const helm = (...more: readonly string[]) => {
      const words = [...given, ...more].flatMap((one) => ['--set', one])
      return spawnSync('helm', ['template', 'signet', `${root}/deploy/helm`, ...words], { encoding: 'utf8' })
    }
    const { status, stderr } = helm()
    assert.equal(status, 0, stderr)
    const { stdout } = helm(
      'extraEnvFrom[0].secretRef.name=more',
      'extraVolumes[0].name=ca',
      'extraVolumes[0].secret.secretName=ca',
      'extraVolumeMounts[0].name=ca',
      'extraVolumeMounts[0].mountPath=/ca',
    )
    assert.match(stdout, /envFrom:\n +- secretRef:\n +name: more/)
    assert.match(stdout, /- mountPath: \/ca\n +name: ca/)
    assert.match(helm('replica=2').stderr, /replica/)
    assert.match(helm('externalUrl=id.example.com').stderr, /externalUrl/)
  })

  test('sets settings that exist', () => {
    const reference = read('docs/reference/configuration.md')
    const files = globSync('deploy/helm/{values.yaml,templates/*}', { cwd: root })
    const names = new Set(files.flatMap((file) => read(file).match(/\bSIGNET_\w+/g) ?? []))
    assert.ok(names.size > 5)
    for (const name of names) assert.ok(reference.includes(`| \`${name}\` |`), name)
  })
})
