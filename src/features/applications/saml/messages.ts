/** Configurations of service providers in the messages of the v1 and v2 services. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { SAMLConfigSchema } from '../../../../contract/gen/signet/app/v1/app_pb.ts'
import type {
  CreateSAMLApplicationRequest,
  UpdateSAMLApplicationConfigurationRequest,
} from '../../../../contract/gen/signet/application/v2/application_service_pb.ts'
import type { SAMLAttributes, SAMLConfigurationSchema } from '../../../../contract/gen/signet/application/v2/saml_pb.ts'
import type {
  AddSAMLAppRequest,
  UpdateSAMLAppConfigRequest,
} from '../../../../contract/gen/signet/management/v1/app_pb.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { loginVersionMessage, loginVersionOf } from '../config-messages.ts'
import { samlAttributeSource } from '../enums.ts'
import type { ApplicationConfig, SamlAttribute, SamlConfig } from '../events.ts'
import { applicationRefusals } from '../refusals.ts'
import { configOfMetadata, withChoices } from './read-config.ts'

const FIELDS = 'samlConfiguration.'

function attributesOf(message: SAMLAttributes | undefined): readonly SamlAttribute[] {
  return (message?.items ?? []).map(({ name, source }) => ({ name, source: samlAttributeSource.read(source) }))
}

function unsolicited(isAllowed: boolean | undefined): { readonly allowsUnsolicited?: true } {
  return isAllowed === true ? { allowsUnsolicited: true } : {}
}

function requireMetadata<Given extends { readonly case: string | undefined }>(given: Given) {
  // The limits of the contract allow no message without.
  if (given.case === undefined) throw refused(applicationRefusals, 'application.config_invalid')
  return given as Exclude<Given, { readonly case: undefined }>
}

/** The configuration of a v2 request that creates an application. */
export async function newSamlConfigV2(app: App, message: CreateSAMLApplicationRequest): Promise<SamlConfig> {
  const config = await configOfMetadata(app, requireMetadata(message.metadata), FIELDS)
  return withChoices(config, {
    ...loginVersionOf(message.loginVersion),
    attributes: attributesOf(message.attributes),
    ...unsolicited(message.allowUnsolicited),
  })
}

type After = (before: ApplicationConfig) => SamlConfig | undefined

/** The change of a v2 request: what is not given stays. Metadata are fetched before the write, which may run twice. */
export async function changedSamlConfigV2(
  app: App,
  message: UpdateSAMLApplicationConfigurationRequest,
): Promise<After> {
  const { metadata, loginVersion, attributes, allowUnsolicited } = message
  const fresh = metadata.case === undefined ? undefined : await configOfMetadata(app, metadata, FIELDS)
  return (before) => {
    if (before.type !== 'saml') return undefined
    return withChoices(fresh ?? before, {
      ...(loginVersion === undefined
        ? before.loginVersion && { loginVersion: before.loginVersion }
        : loginVersionOf(loginVersion)),
      attributes: attributes === undefined ? (before.attributes ?? []) : attributesOf(attributes),
      ...unsolicited(allowUnsolicited ?? before.allowsUnsolicited),
    })
  }
}

/** The configuration of a v1 request that adds an application. */
export async function newSamlConfigV1(app: App, message: AddSAMLAppRequest): Promise<SamlConfig> {
  const config = await configOfMetadata(app, requireMetadata(message.metadata), '')
  return withChoices(config, loginVersionOf(message.loginVersion))
}

/** The change of a v1 request; what v1 does not know stays as before. */
export async function changedSamlConfigV1(app: App, message: UpdateSAMLAppConfigRequest): Promise<After> {
  const { metadata, loginVersion } = message
  const fresh = metadata.case === undefined ? undefined : await configOfMetadata(app, metadata, '')
  return (before) => {
    if (before.type !== 'saml') return undefined
    const { attributes = [], allowsUnsolicited } = before
    return withChoices(fresh ?? before, {
      ...loginVersionOf(loginVersion),
      attributes,
      ...unsolicited(allowsUnsolicited),
    })
  }
}

export function samlV2(config: SamlConfig): MessageInitShape<typeof SAMLConfigurationSchema> {
  const { metadataXml, metadataUrl = '', attributes, responseServices, encryptionCertificate } = config
  return {
    metadataXml: Buffer.from(metadataXml),
    metadataUrl,
    ...loginVersionMessage(config),
    ...(attributes && {
      attributes: {
        items: attributes.map(({ name, source }) => ({ name, source: samlAttributeSource.show(source) })),
      },
    }),
    allowUnsolicited: config.allowsUnsolicited === true,
    entityId: config.entityId,
    assertionConsumerServices: responseServices.map(({ url }) => url),
    requiresSignedRequests: config.signsRequests,
    encryptsAssertions: encryptionCertificate !== undefined,
  }
}

export function samlV1(config: SamlConfig): MessageInitShape<typeof SAMLConfigSchema> {
  const { metadataXml, metadataUrl } = config
  const metadata =
    metadataUrl === undefined
      ? ({ case: 'metadataXml', value: Buffer.from(metadataXml) } as const)
      : ({ case: 'metadataUrl', value: metadataUrl } as const)
  return { metadata, ...loginVersionMessage(config) }
}
