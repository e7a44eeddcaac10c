/** `signet import auth0 <users> [clients]`. */
import type { SourceCommand } from '../source-command.ts'

export const auth0Command: SourceCommand = {
  name: 'auth0',
  description: 'move the users and applications of a tenant of Auth0: see docs/guides/move-from-auth0.md',
  arguments: [
    ['<users>', 'users: the file of an export job, of hashes, or one in the schema of bulk imports (NDJSON or a list)'],
    ['[clients]', 'applications: the answer of GET /api/v2/clients'],
  ],
  options: [
    ['--hashes <file>', 'hashes of passwords, as the support of Auth0 exports them'],
    ['--factors <file>', 'secrets of authenticator apps: lines with user_id and otp_secret'],
    ['--connections <file>', 'identity providers: the answer of GET /api/v2/connections'],
    ['--name <name>', 'name of the organization that is created (default: Auth0)'],
  ],
  async open([users = '', clients], { hashes, factors, connections, name }) {
    const { openAuth0 } = await import('./source.ts')
    return await openAuth0({
      users,
      name: typeof name === 'string' ? name : 'Auth0',
      ...(clients !== undefined && clients !== 'undefined' && { clients }),
      ...(typeof hashes === 'string' && { hashes }),
      ...(typeof factors === 'string' && { factors }),
      ...(typeof connections === 'string' && { connections }),
    })
  },
}
