/** The v1 methods for the look of login pages. */
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import type { Call } from '../../../access/call.ts'
import { type Method, methods } from '../../../access/method.ts'
import type { App } from '../../../module/app.ts'
import { writtenV1 } from '../../../module/details.ts'
import { changeBrandAsset } from '../handlers/change-brand-asset.ts'
import type { BrandingSlot } from '../values.ts'
import { brandingOf, brandingV2, labelV1 } from './messages-appearance.ts'
import { changes, ownChanges, readPolicy } from './policies.ts'

/** The method that withdraws a file from the draft of an owner. */
function withdrawal(app: App, slot: BrandingSlot, ownerOf: (call: Call) => string) {
  return async (_: unknown, call: Call) => {
    const change = { owner: ownerOf(call), slot, bytes: undefined }
    return { details: writtenV1(await changeBrandAsset(app, call.origin, change)) }
  }
}

function adminMethods(app: App): readonly Method[] {
  const change = changes(app)
  const withdraw = (slot: BrandingSlot) => withdrawal(app, slot, () => app.instanceId)
  return methods(AdminService, {
    updateLabelPolicy: (message, call) =>
      change(call, { type: 'draft_branding', manner: 'put', value: brandingOf(message) }),
    activateLabelPolicy: (_, call) => change(call, { type: 'activate_branding', manner: 'put' }),
    removeLabelPolicyLogo: withdraw('logo'),
    removeLabelPolicyLogoDark: withdraw('logoDark'),
    removeLabelPolicyIcon: withdraw('icon'),
    removeLabelPolicyIconDark: withdraw('iconDark'),
    removeLabelPolicyFont: withdraw('font'),
  })
}

function managementMethods(app: App): readonly Method[] {
  const change = ownChanges(app)
  const withdraw = (slot: BrandingSlot) => withdrawal(app, slot, ({ organizationId }) => organizationId)
  return methods(ManagementService, {
    addCustomLabelPolicy: (message, call) =>
      change(call, { type: 'draft_branding', manner: 'add', value: brandingOf(message) }),
    updateCustomLabelPolicy: (message, call) =>
      change(call, { type: 'draft_branding', manner: 'change', value: brandingOf(message) }),
    activateCustomLabelPolicy: (_, call) => change(call, { type: 'activate_branding', manner: 'change' }),
    removeCustomLabelPolicyLogo: withdraw('logo'),
    removeCustomLabelPolicyLogoDark: withdraw('logoDark'),
    removeCustomLabelPolicyIcon: withdraw('icon'),
    removeCustomLabelPolicyIconDark: withdraw('iconDark'),
    removeCustomLabelPolicyFont: withdraw('font'),
  })
}

/** The v1 methods for the look of login pages. */
export function appearanceMethodsV1(app: App): readonly Method[] {
  return [
    ...readPolicy(
      app,
      'LabelPolicy',
      'branding',
      { v1: labelV1, v2: ['BrandingSettings', brandingV2] },
      { type: 'reset_branding' },
    ),
    ...readPolicy(app, 'PreviewLabelPolicy', 'brandingDraft', { v1: labelV1 }),
    ...adminMethods(app),
    ...managementMethods(app),
  ]
}
