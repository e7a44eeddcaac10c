/** The v1 methods for the lifetimes of tokens. */
import { type Duration, durationFromMs, durationMs } from '@bufbuild/protobuf/wkt'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { type Method, methods } from '../../../access/method.ts'
import type { App } from '../../../module/app.ts'
import { writtenV1 } from '../../../module/details.ts'
import { settings } from '../documents.ts'
import type { OidcLifetimes } from '../events.ts'
import { changeInstanceSettings } from '../handlers/change-settings.ts'
import { BUILT_IN_LIFETIMES } from '../lifetimes.ts'
import { settingsDetailsV1 } from './messages.ts'

interface LifetimesMessage {
  readonly accessTokenLifetime?: Duration | undefined
  readonly idTokenLifetime?: Duration | undefined
  readonly refreshTokenIdleExpiration?: Duration | undefined
  readonly refreshTokenExpiration?: Duration | undefined
}

/** The limits of the contract require all of them. */
function lifetimesOf(message: LifetimesMessage): OidcLifetimes {
  const milliseconds = (duration: Duration | undefined) => (duration === undefined ? 0 : durationMs(duration))
  return {
    accessTokenMs: milliseconds(message.accessTokenLifetime),
    idTokenMs: milliseconds(message.idTokenLifetime),
    refreshIdleMs: milliseconds(message.refreshTokenIdleExpiration),
    refreshAbsoluteMs: milliseconds(message.refreshTokenExpiration),
  }
}

/** The methods for the lifetimes of tokens. */
export function oidcMethodsV1(app: App): readonly Method[] {
  const { store, instanceId } = app
  return methods(AdminService, {
    async getOIDCSettings() {
      const from = await store.get(settings, instanceId)
      const lifetimes = from?.state.oidc ?? BUILT_IN_LIFETIMES
      return {
        settings: {
          details: settingsDetailsV1(from?.state.oidc && from, instanceId),
          accessTokenLifetime: durationFromMs(lifetimes.accessTokenMs),
          idTokenLifetime: durationFromMs(lifetimes.idTokenMs),
          refreshTokenIdleExpiration: durationFromMs(lifetimes.refreshIdleMs),
          refreshTokenExpiration: durationFromMs(lifetimes.refreshAbsoluteMs),
        },
      }
    },
    async addOIDCSettings(message, { origin }) {
      const command = { type: 'set_oidc', manner: 'add', value: lifetimesOf(message) } as const
      return { details: writtenV1(await changeInstanceSettings(app, origin, command)) }
    },
    async updateOIDCSettings(message, { origin }) {
      const command = { type: 'set_oidc', manner: 'put', value: lifetimesOf(message) } as const
      return { details: writtenV1(await changeInstanceSettings(app, origin, command)) }
    },
  })
}
