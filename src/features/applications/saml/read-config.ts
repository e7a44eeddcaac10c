/** The configuration of a service provider from the metadata that a caller gives or names. */
import { MetadataProblem } from '../../../crypto/xml/saml-metadata.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { type GivenMetadata, readMetadata } from '../../../module/given-metadata.ts'
import type { LoginVersion, SamlAttribute, SamlConfig } from '../events.ts'
import { applicationRefusals } from '../refusals.ts'
import { readProvider } from './metadata.ts'

export interface SamlChoices {
  readonly loginVersion?: LoginVersion
  readonly attributes?: readonly SamlAttribute[]
  readonly allowsUnsolicited?: true
}

/** The members of a configuration that follow from its metadata. `prefix` is the path of its fields in the request. */
export async function configOfMetadata(app: App, given: GivenMetadata, prefix: string): Promise<SamlConfig> {
  try {
    const { from, said } = await readMetadata(app, given, readProvider)
    return { type: 'saml', ...from, ...said }
  } catch (error) {
    if (!(error instanceof MetadataProblem)) throw error
    const violations = [{ field: `${prefix}${given.case}`, description: error.message }]
    throw refused(applicationRefusals, 'application.config_invalid', { violations })
  }
}

/** The configuration with what a caller chose beside the metadata. */
export function withChoices(
  config: SamlConfig,
  { loginVersion, attributes, allowsUnsolicited }: SamlChoices,
): SamlConfig {
  const { loginVersion: _, attributes: __, allowsUnsolicited: ___, ...rest } = config
  return {
    ...rest,
    ...(loginVersion && { loginVersion }),
    ...(attributes && attributes.length > 0 && { attributes }),
    ...(allowsUnsolicited && { allowsUnsolicited }),
  }
}
