/** The v1 methods for the lifetimes of tokens. */
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import type { OIDCSettings } from '../../../../contract/gen/signet/settings/v1/oidc_pb.ts'
import { type Method, methods } from '../../../access/method.ts'
import type { App } from '../../../module/app.ts'
import { mapped, milliseconds } from '../../../module/mapped.ts'
import { holdingSettings } from '../effective.ts'
import type { OidcLifetimes } from '../events.ts'
import { settingsDetailsV1 } from './details.ts'
import { changes } from './policies.ts'

/** The limits of the contract require all of them. */
const lifetimes = mapped<OidcLifetimes, OIDCSettings, 'details'>()({
  accessTokenMs: ['accessTokenLifetime', milliseconds],
  idTokenMs: ['idTokenLifetime', milliseconds],
  refreshIdleMs: ['refreshTokenIdleExpiration', milliseconds],
  refreshAbsoluteMs: ['refreshTokenExpiration', milliseconds],
})

/** The methods for the lifetimes of tokens. */
export function oidcMethodsV1(app: App): readonly Method[] {
  const change = changes(app)
  const set = (manner: 'add' | 'put', value: OidcLifetimes) =>
    ({ type: 'set', section: 'oidc', manner, value }) as const
  return methods(AdminService, {
    async getOIDCSettings() {
      const { value, from } = (await holdingSettings(app, app.instanceId)).oidc
      return { settings: { details: settingsDetailsV1(from, app.instanceId), ...lifetimes.show(value) } }
    },
    addOIDCSettings: (message, call) => change(call, set('add', lifetimes.read(message))),
    updateOIDCSettings: (message, call) => change(call, set('put', lifetimes.read(message))),
  })
}
