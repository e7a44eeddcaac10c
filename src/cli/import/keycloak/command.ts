/** `signet import keycloak <export>`. */
import { CannotImport } from '../import.ts'
import type { SourceCommand } from '../source-command.ts'

export const keycloakCommand: SourceCommand = {
  name: 'keycloak',
  description: 'move a realm of Keycloak: see docs/guides/move-from-keycloak.md',
  arguments: [['<export>', 'folder or file that kc.sh export wrote']],
  options: [
    ['--as <target>', 'what the realm becomes: organization (default) or instance'],
    ['--realm <name>', 'the realm, if the folder contains several'],
    ['--old-url <url>', 'address of Keycloak: the host for which passkeys were made'],
    ['--old-keys', 'publish the keys of the realm until tokens from before the move have ended'],
  ],
  async open([path = ''], { as: target = 'organization', realm, oldUrl, oldKeys }) {
    if (target !== 'organization' && target !== 'instance')
      throw new CannotImport('--as must be organization or instance.')
    const { openKeycloak } = await import('./source.ts')
    return await openKeycloak({
      path,
      target,
      oldKeys: oldKeys === true,
      ...(typeof realm === 'string' && { realm }),
      ...(typeof oldUrl === 'string' && { oldUrl }),
    })
  },
}
