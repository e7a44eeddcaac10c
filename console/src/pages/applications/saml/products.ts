/** Common products, and what they call the values that they need from us. Pure. */
import { PATHS, SAML_PATHS } from '../../../../../src/kernel/page-paths.ts'

/** What service providers are given; the metadata are at the entity ID. */
const VALUES = {
  entityId: SAML_PATHS.metadata,
  metadata: SAML_PATHS.metadata,
  signOn: SAML_PATHS.signOn,
  logOut: SAML_PATHS.logOut,
  /** The page where users sign out, for products that send no logout request. */
  signOutPage: PATHS.signOut,
} as const

export type ValueName = keyof typeof VALUES

/** The address of a value at this server. */
export function valueAt(issuer: string, name: ValueName): string {
  return `${issuer}${VALUES[name]}`
}

export interface Product {
  /** As people know it; the same in all languages. */
  readonly label: string
  /** Its own fields, as it names them, and what goes into each. */
  readonly fields: readonly (readonly [field: string, value: ValueName])[]
  /** The field for the certificate; undefined where the metadata have all that is needed. */
  readonly certificate?: string
  /** Takes the metadata as a file, under this name. */
  readonly metadataFile?: string
}

export const PRODUCTS = {
  google: {
    label: 'Google Workspace',
    fields: [
      ['IDP entity ID', 'entityId'],
      ['Sign-in page URL', 'signOn'],
      ['Sign-out page URL', 'signOutPage'],
    ],
    certificate: 'Verification certificate',
  },
  aws: { label: 'AWS IAM Identity Center', fields: [], metadataFile: 'Identity provider metadata' },
  github: {
    label: 'GitHub Enterprise Cloud',
    fields: [
      ['Sign on URL', 'signOn'],
      ['Issuer', 'entityId'],
    ],
    certificate: 'Public certificate',
  },
  salesforce: {
    label: 'Salesforce',
    fields: [
      ['Metadata URL', 'metadata'],
      ['Issuer', 'entityId'],
      ['Identity Provider Login URL', 'signOn'],
      ['Identity Provider Single Logout URL', 'logOut'],
    ],
    certificate: 'Identity Provider Certificate',
  },
} as const satisfies Readonly<Record<string, Product>>

export type ProductName = keyof typeof PRODUCTS

export const PRODUCT_NAMES = Object.keys(PRODUCTS) as ProductName[]

/** The product, with all that it may have. */
export function productOf(name: ProductName): Product {
  return PRODUCTS[name]
}
