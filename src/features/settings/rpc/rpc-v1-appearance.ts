/** The v1 methods for the look of login pages, the links on them, and the age of passwords. */
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import type { Call } from '../../../access/call.ts'
import { type Method, methods } from '../../../access/method.ts'
import type { App } from '../../../module/app.ts'
import { writtenV1 } from '../../../module/details.ts'
import type { Origin } from '../../../store/index.ts'
import type { SettingsCommand } from '../decider.ts'
import { holdingSettings } from '../effective.ts'
import type { BrandingSlot } from '../events.ts'
import { changeBrandAsset } from '../handlers/change-brand-asset.ts'
import { changeInstanceSettings, changeOrganizationSettings } from '../handlers/change-settings.ts'
import { ageV1, brandingOf, expiryOf, labelV1, legalOf, privacyV1 } from './messages-appearance.ts'

/** The method that withdraws a file from the draft of an owner. */
function withdrawal(app: App, slot: BrandingSlot, ownerOf: (call: Call) => string) {
  return async (_: unknown, call: Call) => {
    const change = { owner: ownerOf(call), slot, bytes: undefined }
    return { details: writtenV1(await changeBrandAsset(app, call.origin, change)) }
  }
}

function adminMethods(app: App): readonly Method[] {
  const { instanceId } = app
  const holding = () => holdingSettings(app, instanceId)
  const change = async (origin: Origin, command: SettingsCommand) => ({
    details: writtenV1(await changeInstanceSettings(app, origin, command)),
  })
  const withdraw = (slot: BrandingSlot) => withdrawal(app, slot, () => instanceId)
  return methods(AdminService, {
    getLabelPolicy: async () => ({ policy: labelV1((await holding()).branding, app) }),
    getPreviewLabelPolicy: async () => ({ policy: labelV1((await holding()).brandingDraft, app) }),
    updateLabelPolicy: (message, { origin }) =>
      change(origin, { type: 'draft_branding', manner: 'put', value: brandingOf(message) }),
    activateLabelPolicy: (_, { origin }) => change(origin, { type: 'activate_branding', manner: 'put' }),
    removeLabelPolicyLogo: withdraw('logo'),
    removeLabelPolicyLogoDark: withdraw('logoDark'),
    removeLabelPolicyIcon: withdraw('icon'),
    removeLabelPolicyIconDark: withdraw('iconDark'),
    removeLabelPolicyFont: withdraw('font'),
    getPrivacyPolicy: async () => ({ policy: privacyV1((await holding()).legal, instanceId) }),
    updatePrivacyPolicy: (message, { origin }) =>
      change(origin, { type: 'set_legal', manner: 'put', value: legalOf(message) }),
    getPasswordAgePolicy: async () => ({ policy: ageV1((await holding()).passwordExpiry, instanceId) }),
    updatePasswordAgePolicy: (message, { origin }) =>
      change(origin, { type: 'set_password_expiry', manner: 'put', value: expiryOf(message) }),
  })
}

function managementMethods(app: App): readonly Method[] {
  const { instanceId } = app
  const change = async (call: Call, command: SettingsCommand) => ({
    details: writtenV1(await changeOrganizationSettings(app, call, call.organizationId, command)),
  })
  const withdraw = (slot: BrandingSlot) => withdrawal(app, slot, ({ organizationId }) => organizationId)
  const withDefault = <Policy extends { readonly isDefault?: boolean }>(policy: Policy) => ({
    policy,
    isDefault: policy.isDefault === true,
  })
  return methods(ManagementService, {
    async getLabelPolicy(_, { organizationId }) {
      return withDefault(labelV1((await holdingSettings(app, organizationId)).branding, app))
    },
    async getPreviewLabelPolicy(_, { organizationId }) {
      return withDefault(labelV1((await holdingSettings(app, organizationId)).brandingDraft, app))
    },
    addCustomLabelPolicy: (message, call) =>
      change(call, { type: 'draft_branding', manner: 'add', value: brandingOf(message) }),
    updateCustomLabelPolicy: (message, call) =>
      change(call, { type: 'draft_branding', manner: 'change', value: brandingOf(message) }),
    activateCustomLabelPolicy: (_, call) => change(call, { type: 'activate_branding', manner: 'change' }),
    resetLabelPolicyToDefault: (_, call) => change(call, { type: 'reset_branding' }),
    removeCustomLabelPolicyLogo: withdraw('logo'),
    removeCustomLabelPolicyLogoDark: withdraw('logoDark'),
    removeCustomLabelPolicyIcon: withdraw('icon'),
    removeCustomLabelPolicyIconDark: withdraw('iconDark'),
    removeCustomLabelPolicyFont: withdraw('font'),

    async getPrivacyPolicy(_, { organizationId }) {
      return withDefault(privacyV1((await holdingSettings(app, organizationId)).legal, instanceId))
    },
    addCustomPrivacyPolicy: (message, call) =>
      change(call, { type: 'set_legal', manner: 'add', value: legalOf(message) }),
    updateCustomPrivacyPolicy: (message, call) =>
      change(call, { type: 'set_legal', manner: 'change', value: legalOf(message) }),
    resetPrivacyPolicyToDefault: (_, call) => change(call, { type: 'reset_legal' }),

    async getPasswordAgePolicy(_, { organizationId }) {
      return withDefault(ageV1((await holdingSettings(app, organizationId)).passwordExpiry, instanceId))
    },
    addCustomPasswordAgePolicy: (message, call) =>
      change(call, { type: 'set_password_expiry', manner: 'add', value: expiryOf(message) }),
    updateCustomPasswordAgePolicy: (message, call) =>
      change(call, { type: 'set_password_expiry', manner: 'change', value: expiryOf(message) }),
    resetPasswordAgePolicyToDefault: (_, call) => change(call, { type: 'reset_password_expiry' }),
  })
}

/** The v1 methods for login pages and the age of passwords. */
export function appearanceMethodsV1(app: App): readonly Method[] {
  return [...adminMethods(app), ...managementMethods(app)]
}
