/** The texts of service providers of SAML, in English. */
import type { Sentences } from '../../../../texts/languages.ts'

export const en = {
  metadata: 'Metadata of the service provider',
  sources: { url: 'From a URL', fields: 'Entity ID and ACS URL', xml: 'Paste XML' },
  entityId: 'Entity ID of the product',
  entityIdHint: 'The product shows it as entity ID, issuer or audience.',
  acsUrl: 'ACS URL',
  acsUrlHint: 'Where responses are sent. The product shows it as ACS URL, reply URL or single sign-on URL.',
  metadataUrl: 'Metadata URL of the service provider',
  metadataUrlHint:
    'Fetched once, when you save. Fetch it again when the product changes its addresses or certificates.',
  metadataXml: 'Metadata XML',
  metadataXmlHint: 'The whole file, as you downloaded it from the product.',
  allowUnsolicited: 'Let users start here (IdP-initiated)',
  allowUnsolicitedHint:
    'Signs users in to the product without a request from it. Leave it off if the product can send requests, because that is safer.',
  startUrl: 'Start URL',
  readAgain: 'Fetch metadata again',
  readAgainDone: 'Metadata updated.',
  unchanged: 'The metadata haven’t changed.',
  read: 'Read from the metadata',
  readHint: 'This is how the server treats the service provider.',
  entityIdOfProvider: 'Entity ID of the service provider',
  responseUrls: 'Responses are sent only to',
  signedRequests: 'Sign-in requests must be signed.',
  unsignedRequests: 'Sign-in requests don’t have to be signed.',
  encrypted: 'Assertions are signed and encrypted.',
  notEncrypted: 'Assertions are signed, but not encrypted: the metadata contain no key that can be used for it.',
  needs: 'What the service provider needs',
  needsHint: 'Copy these values into the settings of the product.',
  product: 'Product',
  otherProduct: 'Other product',
  steps: 'Steps',
  stepsOf: {
    other: [
      'If the product accepts a metadata URL, enter only that: certificates are then renewed without you.',
      'Otherwise, copy the values one by one and upload the certificate.',
      'Enter the metadata URL of the product above, or its entity ID and ACS URL.',
    ],
    google: [
      'In the Google Admin console, open “Security”, “Authentication”, “SSO with third party IdP” and add a SAML profile.',
      'Enter the values below and upload the certificate.',
      'Save the profile, and then copy “Entity ID” and “ACS URL” from “SP details”.',
      'Assign the profile to organizational units or groups. The verified email address of each user must be their Google address.',
    ],
    aws: [
      'In IAM Identity Center, open “Settings”, “Identity source” and choose “Change identity source”, “External identity provider”.',
      'Choose “Download metadata file” and paste its content here as XML.',
      'Upload our metadata file under “Identity provider metadata”.',
      'Users must exist in IAM Identity Center, and their user name there must be their verified email address here.',
    ],
    github: [
      'In the settings of your organization or enterprise, open “Authentication security” and enable SAML authentication.',
      'Enter the values below, and paste the content of the certificate file into “Public certificate”.',
      'Use https://github.com/orgs/ORGANIZATION/saml/metadata as the metadata URL, or https://github.com/enterprises/ENTERPRISE/saml/metadata. If it can’t be fetched, open it in your browser and paste the XML.',
      'Choose “Test SAML configuration” before you save.',
    ],
    salesforce: [
      'In Setup, open “Single Sign-On Settings”, enable SAML, and choose “New from Metadata URL”. If Salesforce can’t reach this server, choose “New” and enter the other values.',
      'Set “SAML Identity Type” to match what identifies your users, such as the Federation ID.',
      'Save, choose “Download Metadata”, and paste the content here as XML.',
    ],
  },
  other: {
    metadata: 'Metadata URL',
    entityId: 'Entity ID (issuer)',
    signOn: 'Sign-on URL (SSO)',
    logOut: 'Logout URL (SLO)',
    certificate: 'Certificate',
  },
  downloadMetadata: 'Download metadata',
  downloadCertificate: 'Download certificate',
} as const

export type SamlTexts = Sentences<typeof en>
