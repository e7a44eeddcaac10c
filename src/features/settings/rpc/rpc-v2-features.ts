/** The FeatureService: the feature flags of the instance. */

import { ImprovedPerformance, Source } from '../../../../contract/gen/signet/feature/v2/feature_pb.ts'
import { FeatureService } from '../../../../contract/gen/signet/feature/v2/feature_service_pb.ts'
import type { SetInstanceFeaturesRequest } from '../../../../contract/gen/signet/feature/v2/instance_pb.ts'
import { type Method, methods } from '../../../access/method.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { detailsV2 } from '../../../module/details.ts'
import { settings } from '../documents.ts'
import { changeInstanceSettings } from '../handlers/change-settings.ts'
import { baseUriProblem } from '../login.ts'
import { settingsRefusals } from '../refusals.ts'
import type { FeatureFlags, ImprovedPath } from '../values.ts'
import { settingsDetailsV2 } from './details.ts'

const PATHS = {
  project_grant: ImprovedPerformance.PROJECT_GRANT,
  project: ImprovedPerformance.PROJECT,
  user_grant: ImprovedPerformance.USER_GRANT,
  org_domain_verified: ImprovedPerformance.ORG_DOMAIN_VERIFIED,
} as const satisfies Record<ImprovedPath, ImprovedPerformance>

/** The flags that are on or off. */
const SWITCHES = [
  'loginDefaultOrg',
  'userSchema',
  'debugOidcParentError',
  'oidcSingleV1SessionTermination',
  'permissionCheckV2',
  'consoleUseV2UserApi',
  'enableRelationalTables',
] as const satisfies readonly (keyof FeatureFlags)[]

type Switch = (typeof SWITCHES)[number]

/** The flags that a request sets. The deprecated ones are always on, whatever it says. */
function flagsOf(message: SetInstanceFeaturesRequest): FeatureFlags {
  const flags: { -readonly [Name in keyof FeatureFlags]: FeatureFlags[Name] } = {}
  for (const name of SWITCHES) if (message[name] !== undefined) flags[name] = message[name]
  const { improvedPerformance, loginV2 } = message
  if (improvedPerformance.length > 0) {
    const paths = Object.keys(PATHS) as ImprovedPath[]
    flags.improvedPerformance = paths.filter((path) => improvedPerformance.includes(PATHS[path]))
  }
  if (loginV2 !== undefined) flags.loginV2 = { required: loginV2.required, baseUri: loginV2.baseUri ?? '' }
  return flags
}

function check(message: SetInstanceFeaturesRequest, flags: FeatureFlags): void {
  const { oidcTokenExchange, enableBackChannelLogout } = message
  const isEmpty = Object.keys(flags).length === 0
  if (isEmpty && oidcTokenExchange === undefined && enableBackChannelLogout === undefined) {
    throw refused(settingsRefusals, 'settings.no_feature_given')
  }
  const description = baseUriProblem(flags.loginV2?.baseUri ?? '')
  if (description === undefined) return
  const violations = [{ field: 'loginV2.baseUri', description }]
  throw refused(settingsRefusals, 'settings.base_uri_invalid', { violations })
}

/** The methods for feature flags. */
export function featureMethods(app: App): readonly Method[] {
  const { store, instanceId } = app
  const alwaysOn = { enabled: true, source: Source.SYSTEM }
  return methods(FeatureService, {
    async setInstanceFeatures(message, { origin }) {
      const flags = flagsOf(message)
      check(message, flags)
      const { value } = await changeInstanceSettings(app, origin, { type: 'set_features', flags })
      return { details: detailsV2(value) }
    },
    async resetInstanceFeatures(_, { origin }) {
      const { value } = await changeInstanceSettings(app, origin, { type: 'reset_features' })
      return { details: detailsV2(value) }
    },
    async getSystemFeatures() {
      const off = { enabled: false, source: Source.SYSTEM }
      return {
        details: { resourceOwner: instanceId },
        loginDefaultOrg: off,
        userSchema: off,
        oidcTokenExchange: alwaysOn,
        improvedPerformance: { source: Source.SYSTEM },
        oidcSingleV1SessionTermination: off,
        enableBackChannelLogout: alwaysOn,
        loginV2: { required: false, source: Source.SYSTEM },
        permissionCheckV2: off,
        enableRelationalTables: off,
      }
    },
    async getInstanceFeatures({ inheritance }) {
      const from = await store.get(settings, instanceId)
      const flags = from?.state.features ?? {}
      const sourceOf = (value: unknown) => {
        if (value !== undefined) return Source.INSTANCE
        return inheritance ? Source.SYSTEM : Source.UNSPECIFIED
      }
      const flag = (name: Switch) => ({ enabled: flags[name] ?? false, source: sourceOf(flags[name]) })
      const { loginV2, improvedPerformance } = flags
      const { baseUri } = loginV2 ?? {}
      return {
        details: settingsDetailsV2(from?.state.features && from, instanceId),
        loginDefaultOrg: flag('loginDefaultOrg'),
        userSchema: flag('userSchema'),
        oidcTokenExchange: alwaysOn,
        improvedPerformance: {
          executionPaths: improvedPerformance?.map((path) => PATHS[path]) ?? [],
          source: sourceOf(improvedPerformance),
        },
        debugOidcParentError: flag('debugOidcParentError'),
        oidcSingleV1SessionTermination: flag('oidcSingleV1SessionTermination'),
        enableBackChannelLogout: alwaysOn,
        loginV2: {
          required: loginV2?.required ?? false,
          ...(baseUri ? { baseUri } : {}),
          source: sourceOf(loginV2),
        },
        permissionCheckV2: flag('permissionCheckV2'),
        consoleUseV2UserApi: flag('consoleUseV2UserApi'),
        enableRelationalTables: flag('enableRelationalTables'),
      }
    },
  })
}
