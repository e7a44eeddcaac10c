/**
 * The methods of policies. A policy has one name in the contract, and what the services have for it: `get`, `getDefault`,
 * `getMy`, `update`, `add`, `addCustom`, `updateCustom`, `reset…ToDefault`, and the settings of v2.
 */
import type { DescService } from '@bufbuild/protobuf'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { AuthService } from '../../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import type { RequestContext } from '../../../../contract/gen/signet/object/v2/object_pb.ts'
import { SettingsService } from '../../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import type { Call } from '../../../access/call.ts'
import { type Implementation, type Method, methods } from '../../../access/method.ts'
import type { App } from '../../../module/app.ts'
import { writtenV1 } from '../../../module/details.ts'
import type { Settings, SettingsCommand } from '../decider.ts'
import { type Holding, holdingSettings } from '../effective.ts'
import { changeInstanceSettings, changeOrganizationSettings } from '../handlers/change-settings.ts'
import type { PlainName, PlainValue } from '../plain.ts'
import type { Manner } from '../set-value.ts'
import { isOwn, ownerType, settingsDetailsV1, settingsDetailsV2 } from './details.ts'
import { holdingFor } from './requested-settings.ts'

type Got<Service extends DescService, Ending extends string> = {
  [Name in keyof Service['method']]: Name extends `get${infer Policy extends `${string}${Ending}`}` ? Policy : never
}[keyof Service['method']]

/** What the contract has methods for. */
export type PolicyName = Got<typeof AdminService, 'Policy' | 'OIDCSettings'>
export type SettingsName = Got<typeof SettingsService, 'Settings'>

/** What is held, and has been set or not. */
type HeldName = PlainName | 'branding' | 'brandingDraft'
type HeldValue<Name extends HeldName> = NonNullable<Settings[Name]>

/** How a value is shown in the services, without what is around it; not given: there, another module serves it, or none. */
interface Shown<Value> {
  readonly v1?: (value: Value, app: App) => object
  readonly v2?: readonly [name: SettingsName, show: (value: Value, app: App) => object]
}

type Functions = Readonly<Record<string, (message: never, call: Call) => Promise<object>>>

/** Those that the service has a method for. */
export function served<Service extends DescService>(service: Service, all: Functions): readonly Method[] {
  const found = Object.entries(all).filter(([name]) => Object.hasOwn(service.method, name))
  return methods(service, Object.fromEntries(found) as Implementation<Service>)
}

function readings<Name extends HeldName>(
  app: App,
  name: PolicyName,
  section: Name,
  { v1, v2 }: Shown<HeldValue<Name>>,
) {
  const { instanceId } = app
  const heldIn = (holding: Awaited<ReturnType<typeof holdingSettings>>) =>
    holding[section] as unknown as Holding<HeldValue<Name>>
  const policyOf = async (owner: string) => {
    const { value, from } = heldIn(await holdingSettings(app, owner))
    const isDefault = !isOwn(from, instanceId)
    return { details: settingsDetailsV1(from, instanceId), ...v1?.(value, app), isDefault }
  }
  const field = name.endsWith('Settings') ? 'settings' : 'policy'
  const ofInstance = async () => ({ [field]: await policyOf(instanceId) })
  const ofCall = async (_: unknown, { organizationId }: Call) => {
    const policy = await policyOf(organizationId)
    return { policy, isDefault: policy.isDefault }
  }
  const ofContext = async ({ ctx }: { readonly ctx?: RequestContext }, call: Call) => {
    const { value, from } = heldIn(await holdingFor(app, ctx, call))
    const resourceOwnerType = ownerType(from, instanceId)
    return { details: settingsDetailsV2(from, instanceId), settings: { ...v2?.[1](value, app), resourceOwnerType } }
  }
  const ofV1 = () => [
    ...served(AdminService, { [`get${name}`]: ofInstance }),
    ...served(ManagementService, { [`get${name}`]: ofCall, [`getDefault${name}`]: ofInstance }),
    ...served(AuthService, { [`getMy${name}`]: ofCall }),
  ]
  return [
    ...(v1 ? ofV1() : []),
    ...(v2 ? served(SettingsService, { [`get${v2[0]}`]: ofContext as Functions[string] }) : []),
  ]
}

/** Changes the settings of the instance. */
export function changes(app: App) {
  return async ({ origin }: Call, command: SettingsCommand) => ({
    details: writtenV1(await changeInstanceSettings(app, origin, command)),
  })
}

/** Changes the settings of the organization of the call. */
export function ownChanges(app: App) {
  return async (call: Call, command: SettingsCommand) => ({
    details: writtenV1(await changeOrganizationSettings(app, call, call.organizationId, command)),
  })
}

/** The methods that read a policy, and reset it for an organization. */
export function readPolicy<Name extends HeldName>(
  app: App,
  name: PolicyName,
  section: Name,
  shown: Shown<HeldValue<Name>>,
  reset?: SettingsCommand,
): readonly Method[] {
  const change = ownChanges(app)
  const resetting = { [`reset${name}ToDefault`]: (_: never, call: Call) => change(call, reset as SettingsCommand) }
  return [...readings(app, name, section, shown), ...(reset ? served(ManagementService, resetting) : [])]
}

interface Policy<Value> {
  readonly v1: readonly [name: PolicyName, messages: { show(value: Value): object; read(message: never): Value }]
  readonly v2?: Shown<Value>['v2']
}

/** The methods that read and change a plain section. */
export function policyMethods<Section extends PlainName>(section: Section, { v1, v2 }: Policy<PlainValue<Section>>) {
  const [name, { show, read }] = v1
  const shown = { v1: show, ...(v2 && { v2 }) }
  const set = (manner: Manner, message: never) =>
    ({ type: 'set', section, manner, value: read(message) }) as unknown as SettingsCommand
  return (app: App): readonly Method[] => {
    const [change, changeOwn] = [changes(app), ownChanges(app)]
    return [
      ...readPolicy(app, name, section, shown as never, { type: 'reset', section } as SettingsCommand),
      ...served(AdminService, {
        [`update${name}`]: (message, call) => change(call, set('put', message)),
        [`add${name}`]: (message, call) => change(call, set('add', message)),
      }),
      ...served(ManagementService, {
        [`addCustom${name}`]: (message, call) => changeOwn(call, set('add', message)),
        [`updateCustom${name}`]: (message, call) => changeOwn(call, set('change', message)),
      }),
    ]
  }
}
