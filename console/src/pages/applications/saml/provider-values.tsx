/** What service providers need from this server, under the names that common products have for it. */
import { Anchor, Group, List, NativeSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { SAML_PATHS } from '../../../../../src/kernel/page-paths.ts'
import { CopyField } from '../../../parts/copy-field.tsx'
import { environment } from '../../../session/environment.ts'
import { useTexts } from '../../../texts/index.tsx'
import { PRODUCT_NAMES, PRODUCTS, type Product, type ProductName, productOf, valueAt } from './products.ts'
import type { SamlTexts } from './texts/en.ts'
import { samlTexts } from './texts/index.ts'

/** The names of the standard, for all products that are not in the list. */
const OTHER = 'other'

const STANDARD_VALUES = ['metadata', 'entityId', 'signOn', 'logOut'] as const

function unknownProduct({ other }: SamlTexts): Omit<Product, 'label'> {
  const fields = STANDARD_VALUES.map((value) => [other[value], value] as const)
  return { fields, certificate: other.certificate }
}

/** The choice of a product, its fields to copy, and where they are. */
export function ProviderValues() {
  const t = useTexts(samlTexts)
  const { issuer } = environment()
  const [name, setName] = useState<ProductName | typeof OTHER>(OTHER)
  const product = name === OTHER ? unknownProduct(t) : productOf(name)
  const { certificate, metadataFile } = product
  return (
    <Stack>
      <NativeSelect
        label={t.product}
        data={[
          { value: OTHER, label: t.otherProduct },
          ...PRODUCT_NAMES.map((value) => ({ value, label: PRODUCTS[value].label })),
        ]}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value as ProductName | typeof OTHER)}
      />
      <List type="ordered" size="sm" spacing="xs" aria-label={t.steps}>
        {t.stepsOf[name].map((step) => (
          <List.Item key={step}>{step}</List.Item>
        ))}
      </List>
      {product.fields.map(([field, value]) => (
        <CopyField key={field} label={field} value={valueAt(issuer, value)} />
      ))}
      {metadataFile !== undefined && (
        <Download label={metadataFile} href={SAML_PATHS.metadata} file="signet-metadata.xml">
          {t.downloadMetadata}
        </Download>
      )}
      {certificate !== undefined && (
        <Download label={certificate} href={SAML_PATHS.certificate} file="idp.crt">
          {t.downloadCertificate}
        </Download>
      )}
    </Stack>
  )
}

interface DownloadProps {
  readonly label: string
  readonly href: string
  readonly file: string
  readonly children: string
}

function Download({ label, href, file, children }: DownloadProps) {
  return (
    <Group gap="xs">
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <Anchor href={href} download={file} size="sm">
        {children}
      </Anchor>
    </Group>
  )
}
