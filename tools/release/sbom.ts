/** What the executable contains, in CycloneDX 1.6: the packages whose licenses it prints, and Node. */
import { packagesIn } from '../licenses.ts'

export function sbomOf(root: string, version: string): string {
  const components = packagesIn(root).map(({ name, version, license, isNode }) => ({
    type: isNode ? 'platform' : 'library',
    name: isNode ? 'Node.js' : name,
    version,
    purl: isNode ? `pkg:generic/node@${version}` : `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(license !== undefined && { licenses: [{ expression: license }] }),
  }))
  const known = new Map(components.map((one) => [one.purl, one]))
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name: 'signet', version, 'bom-ref': `signet@${version}` } },
    components: [...known.values()].toSorted((a, b) => (a.purl < b.purl ? -1 : 1)),
  }
  return `${JSON.stringify(bom, undefined, 2)}\n`
}
