/** The schemas of users (RFC 7643 §4.1, §4.3). */
import type { Attribute, ResourceSchema, Schema } from '../attributes.ts'

const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

function text(name: string, description: string, more: Partial<Attribute> = {}): Attribute {
  return { name, type: 'string', description, ...more }
}

const PRIMARY: Attribute = { name: 'primary', type: 'boolean', description: 'Whether it is the preferred one.' }
const DISPLAY = text('display', 'A name to show.')

function typed(...examples: string[]): Attribute {
  return text('type', 'What it is for.', { examples })
}

/** A list of values with a type, of which one can be primary. */
function list(
  name: string,
  description: string,
  parts: readonly Attribute[],
  more: Partial<Attribute> = {},
): Attribute {
  return { name, type: 'complex', isMany: true, description, parts, ...more }
}

const NAME: Attribute = {
  name: 'name',
  type: 'complex',
  isRequired: true,
  description: 'The parts of the name.',
  parts: [
    text('formatted', 'Another name of displayName.'),
    text('familyName', 'The last name.', { isRequired: true }),
    text('givenName', 'The first name.', { isRequired: true }),
    text('middleName', 'The middle name.'),
    text('honorificPrefix', 'A title before the name.'),
    text('honorificSuffix', 'A suffix after the name.'),
  ],
}

const ADDRESS: readonly Attribute[] = [
  typed('work', 'home', 'other'),
  text('streetAddress', 'Street and number.'),
  text('locality', 'The city.'),
  text('region', 'The state or region.'),
  text('postalCode', 'The postal code.'),
  text('country', 'The country.'),
  text('formatted', 'The whole address.'),
  PRIMARY,
]

const PHOTO: Attribute = {
  name: 'value',
  type: 'reference',
  references: ['external'],
  isCaseExact: true,
  description: 'The address of the picture.',
}

const ATTRIBUTES: readonly Attribute[] = [
  text('externalId', 'The ID that the directory has given.', { isCaseExact: true }),
  text('userName', 'The name to sign in with.', { isRequired: true, isUnique: true }),
  NAME,
  text('displayName', 'The name to show.'),
  text('nickName', 'The nickname.'),
  {
    name: 'profileUrl',
    type: 'reference',
    references: ['external'],
    isCaseExact: true,
    description: 'The address of a page about the user.',
  },
  text('title', 'The job title.'),
  text('userType', 'The relation to the organization.', { examples: ['Employee', 'Contractor', 'Intern', 'External'] }),
  text('preferredLanguage', 'The language for pages and messages.', { examples: ['en', 'de', 'fr', 'it'] }),
  text('locale', 'A language tag (BCP 47).', { examples: ['en-US', 'de-CH', 'fr-CH'] }),
  text('timezone', 'A name of the IANA time zone database.', { examples: ['Europe/Zurich', 'America/New_York'] }),
  { name: 'active', type: 'boolean', description: 'False: the user is deactivated and cannot sign in.' },
  list(
    'emails',
    'Email addresses; the primary one is that of the user.',
    [text('value', 'The address.', { isRequired: true }), PRIMARY, typed('work', 'home', 'other'), DISPLAY],
    { isRequired: true },
  ),
  list('phoneNumbers', 'Phone numbers; the primary one is that of the user.', [
    text('value', 'The number.'),
    PRIMARY,
    typed('work', 'mobile', 'home', 'fax', 'pager', 'other'),
    DISPLAY,
  ]),
  text('password', 'The password.', { isCaseExact: true, mutability: 'writeOnly', returned: 'never' }),
  list('ims', 'Addresses for messages.', [text('value', 'The address.'), typed('xmpp', 'skype'), DISPLAY, PRIMARY]),
  list('addresses', 'Postal addresses.', ADDRESS),
  list('photos', 'Pictures.', [PHOTO, DISPLAY, typed('photo', 'thumbnail'), PRIMARY]),
  list(
    'groups',
    'The groups that the user is in. They are changed by the members of the group.',
    [
      text('value', 'The ID of the group.', { isCaseExact: true, mutability: 'readOnly' }),
      {
        name: '$ref',
        type: 'reference',
        references: ['Group'],
        isCaseExact: true,
        mutability: 'readOnly',
        description: 'The address of the group.',
      },
      text('display', 'The name of the group.', { mutability: 'readOnly' }),
      text('type', 'Always direct.', { mutability: 'readOnly', examples: ['direct'] }),
    ],
    { mutability: 'readOnly' },
  ),
  list('entitlements', 'Entitlements in the directory.', [
    text('value', 'The entitlement.'),
    DISPLAY,
    typed(),
    PRIMARY,
  ]),
  list('roles', 'Roles in the directory. They give no rights here.', [
    text('value', 'The role.'),
    DISPLAY,
    typed(),
    PRIMARY,
  ]),
  list('x509Certificates', 'Certificates.', [
    { name: 'value', type: 'binary', isCaseExact: true, description: 'The certificate, base64.' },
    DISPLAY,
    typed(),
    PRIMARY,
  ]),
]

const ENTERPRISE: Schema = {
  id: ENTERPRISE_SCHEMA,
  name: 'EnterpriseUser',
  description: 'Enterprise User',
  attributes: [
    text('employeeNumber', 'The number of the employee.'),
    text('costCenter', 'The cost center.'),
    text('organization', 'The organization.'),
    text('division', 'The division.'),
    text('department', 'The department.'),
    {
      name: 'manager',
      type: 'complex',
      description: 'The manager of the user.',
      parts: [
        text('value', 'The ID of the manager.', { isCaseExact: true }),
        {
          name: '$ref',
          type: 'reference',
          references: ['User'],
          isCaseExact: true,
          description: 'The address of the manager.',
        },
        text('displayName', 'The name of the manager.', { mutability: 'readOnly' }),
      ],
    },
  ],
}

export const USER: ResourceSchema = {
  id: USER_SCHEMA,
  name: 'User',
  description: 'User Account',
  endpoint: '/Users',
  attributes: ATTRIBUTES,
  extensions: [ENTERPRISE],
}
