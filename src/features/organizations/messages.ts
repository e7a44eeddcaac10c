/** Converts organizations to messages. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import {
  type DomainSchema as DomainSchemaV1,
  DomainValidationType as ValidationTypeV1,
} from '../../../contract/gen/signet/org/v1/domain_pb.ts'
import { type OrgSchema, OrgState } from '../../../contract/gen/signet/org/v1/org_pb.ts'
import { type DomainSchema, DomainValidationType } from '../../../contract/gen/signet/org/v2/domain_pb.ts'
import { type OrganizationSchema, OrganizationState } from '../../../contract/gen/signet/org/v2/org_pb.ts'
import { detailsV1, detailsV2 } from '../../module/details.ts'
import type { Document } from '../../store/index.ts'
import { type LivingOrganization, type OrganizationDomain, primaryDomain } from './state.ts'

/** An organization in the v1 services. */
export function organizationV1(document: Document<LivingOrganization>): MessageInitShape<typeof OrgSchema> {
  return {
    id: document.id,
    details: detailsV1(document),
    state: document.state.status === 'active' ? OrgState.ACTIVE : OrgState.INACTIVE,
    name: document.state.name,
    primaryDomain: primaryDomain(document.state),
  }
}

/** An organization in the v2 services. */
export function organizationV2(document: Document<LivingOrganization>): MessageInitShape<typeof OrganizationSchema> {
  return {
    id: document.id,
    details: detailsV2(document),
    state: document.state.status === 'active' ? OrganizationState.ACTIVE : OrganizationState.INACTIVE,
    name: document.state.name,
    primaryDomain: primaryDomain(document.state),
  }
}

const VALIDATION = { dns: DomainValidationType.DNS, http: DomainValidationType.HTTP } as const

const VALIDATION_V1 = { dns: ValidationTypeV1.DNS, http: ValidationTypeV1.HTTP } as const

/** A domain of an organization in the v1 services. */
export function domainV1(
  document: Document<LivingOrganization>,
  { domain, isVerified, validation }: OrganizationDomain,
): MessageInitShape<typeof DomainSchemaV1> {
  return {
    orgId: document.id,
    details: detailsV1(document),
    domainName: domain,
    isVerified,
    isPrimary: domain === primaryDomain(document.state),
    validationType: validation === undefined ? ValidationTypeV1.UNSPECIFIED : VALIDATION_V1[validation.proof],
  }
}

/** A domain of an organization. */
export function domainMessage(
  { id, state }: Document<LivingOrganization>,
  { domain, isVerified, validation }: OrganizationDomain,
): MessageInitShape<typeof DomainSchema> {
  return {
    organizationId: id,
    domain,
    isVerified,
    isPrimary: domain === primaryDomain(state),
    validationType: validation === undefined ? DomainValidationType.UNSPECIFIED : VALIDATION[validation.proof],
  }
}
