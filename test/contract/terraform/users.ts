/** Users, and what belongs to them. */
import {
  type Api,
  type Attributes,
  aProject,
  aUser,
  base64,
  type Names,
  type Resource,
  type Resources,
} from './resource.ts'

const PERSON = {
  userName: 'mia',
  firstName: 'Mia',
  lastName: 'Meier',
  nickName: 'mi',
  displayName: 'Mia M.',
  preferredLanguage: 'de',
  gender: 'GENDER_FEMALE',
  email: 'mia@example.com',
  isEmailVerified: true,
  phone: '+41791234567',
  isPhoneVerified: true,
}
const OTHER_PERSON = {
  userName: 'mia.other',
  lastName: 'Muster',
  nickName: '',
  preferredLanguage: 'en',
  gender: 'GENDER_DIVERSE',
  email: 'mia.other@example.com',
  isEmailVerified: false,
  phone: '+41791234568',
}
const PASSWORD = 'Password1!'

/** The parts of a user, as requests of the second version have them. */
function partsOf({ userName, email, isEmailVerified, phone, isPhoneVerified, ...profile }: Attributes) {
  const emailPart = { email, ...(isEmailVerified === true && { isVerified: true }) }
  return {
    username: userName,
    human: { profile, email: emailPart, phone: { phone, ...(isPhoneVerified === true && { isVerified: true }) } },
  }
}

const humanUser: Resource = {
  first: PERSON,
  second: OTHER_PERSON,
  async create(api, attributes) {
    const { human, ...request } = partsOf(attributes)
    const organizationId = (await api.management('GetMyOrg')).org?.id
    const password = { password: PASSWORD, changeRequired: true }
    const { id } = await api.user('CreateUser', { organizationId, ...request, human: { ...human, password } })
    return { userId: id }
  },
  async read(api, names) {
    const { user } = await api.user('GetUserByID', names)
    const { profile, email, phone } = user?.human ?? {}
    return {
      userName: user?.username,
      ...profile,
      firstName: profile?.givenName,
      lastName: profile?.familyName,
      email: email?.email,
      isEmailVerified: email?.isVerified,
      phone: phone?.phone,
      isPhoneVerified: phone?.isVerified,
    }
  },
  update: (api, names, attributes) => api.user('UpdateUser', { ...names, ...partsOf(attributes) }),
  delete: (api, names) => api.user('DeleteUser', names),
}

/** The same with the calls of earlier versions. */
const humanUserBefore: Resource = {
  first: { ...PERSON, userName: 'tom', displayName: 'Tom T.', email: 'tom@example.com', phone: '+41791234560' },
  second: { lastName: 'Muster', nickName: '', email: 'tom.other@example.com', phone: '+41791234561' },
  async create({ management }, { userName, email, isEmailVerified, phone, isPhoneVerified, ...profile }) {
    const { userId } = await management('ImportHumanUser', {
      userName,
      profile,
      email: { email, isEmailVerified },
      phone: { phone, isPhoneVerified },
      password: PASSWORD,
      passwordChangeRequired: true,
    })
    return { userId }
  },
  async read({ management }, { userId }) {
    const { user } = await management('GetUserByID', { id: userId })
    const { profile, email, phone } = user?.human ?? {}
    return { userName: user?.userName, ...profile, ...email, ...phone }
  },
  async update({ management }, names, { userName, email, isEmailVerified, phone, isPhoneVerified, ...profile }) {
    await management('UpdateUserName', { ...names, userName: `${userName}.other` })
    await management('UpdateUserName', { ...names, userName })
    await management('UpdateHumanProfile', { ...names, ...profile })
    await management('UpdateHumanEmail', { ...names, email, isEmailVerified })
    await management('UpdateHumanPhone', { ...names, phone, isPhoneVerified })
  },
  delete: ({ management }, { userId }) => management('RemoveUser', { id: userId }),
}

const machineUser: Resource = {
  first: { userName: 'importer', name: 'Importer', description: 'Imports', accessTokenType: 'ACCESS_TOKEN_TYPE_JWT' },
  second: { userName: 'exporter', name: 'Exporter', description: '', accessTokenType: 'ACCESS_TOKEN_TYPE_BEARER' },
  create: async ({ management }, attributes) => ({ userId: (await management('AddMachineUser', attributes)).userId }),
  async read({ management }, { userId }) {
    const { user } = await management('GetUserByID', { id: userId })
    return { userName: user?.userName, ...user?.machine }
  },
  async update({ management }, names, { userName, ...machine }) {
    const { user } = await management('GetUserByID', { id: names.userId })
    if (String(user?.userName) !== userName) await management('UpdateUserName', { ...names, userName })
    await management('UpdateMachine', { ...names, ...machine })
  },
  delete: ({ management }, { userId }) => management('RemoveUser', { id: userId }),
}

const machineUserV2: Resource = {
  ...machineUser,
  first: { ...machineUser.first, userName: 'reader' },
  second: { ...machineUser.second, userName: 'writer' },
  async create(api, { userName, ...machine }) {
    const organizationId = (await api.management('GetMyOrg')).org?.id
    return { userId: (await api.user('CreateUser', { organizationId, username: userName, machine })).id }
  },
  async read(api, names) {
    const { user } = await api.user('GetUserByID', names)
    return { userName: user?.username, ...user?.machine }
  },
  update: (api, names, { userName, ...machine }) => api.user('UpdateUser', { ...names, username: userName, machine }),
  delete: (api, names) => api.user('DeleteUser', names),
}

const key = ({ management }: Api, names: Names) => management('GetMachineKeyByIDs', names)

export const USERS: Resources = {
  human_user: humanUser,
  'human_user of earlier versions': humanUserBefore,
  machine_user: machineUser,
  'machine_user of later versions': machineUserV2,
  machine_key: {
    first: { type: 'KEY_TYPE_JSON', expirationDate: '2519-04-01T08:45:00Z' },
    async create(api, attributes) {
      const names = await aUser(api)
      return { ...names, keyId: (await api.management('AddMachineKey', { ...names, ...attributes })).keyId }
    },
    read: async (api, names) => (await key(api, names)).key,
    delete: ({ management }, names) => management('RemoveMachineKey', names),
  },
  personal_access_token: {
    first: { expirationDate: '2519-04-01T00:00:00Z' },
    async create(api, attributes) {
      const names = await aUser(api)
      return {
        ...names,
        tokenId: (await api.management('AddPersonalAccessToken', { ...names, ...attributes })).tokenId,
      }
    },
    read: async ({ management }, names) => (await management('GetPersonalAccessTokenByIDs', names)).token,
    delete: ({ management }, names) => management('RemovePersonalAccessToken', names),
  },
  user_metadata: {
    first: { value: base64('green') },
    second: { value: base64('blue') },
    async create(api, attributes) {
      const names = { id: (await aUser(api)).userId, key: 'color' }
      await api.management('SetUserMetadata', { ...names, ...attributes })
      return names
    },
    read: async ({ management }, names) => (await management('GetUserMetadata', names)).metadata,
    update: ({ management }, names, attributes) => management('SetUserMetadata', { ...names, ...attributes }),
    delete: ({ management }, names) => management('RemoveUserMetadata', names),
  },
  user_grant: {
    first: { roleKeys: ['reader'] },
    second: { roleKeys: ['reader', 'writer'] },
    async create(api, attributes) {
      const user = await aUser(api)
      const request = { ...user, ...(await aProject(api)), ...attributes }
      return { ...user, grantId: (await api.management('AddUserGrant', request)).userGrantId }
    },
    read: async ({ management }, names) => (await management('GetUserGrantByID', names)).userGrant,
    update: ({ management }, names, attributes) => management('UpdateUserGrant', { ...names, ...attributes }),
    delete: ({ management }, names) => management('RemoveUserGrant', names),
  },
}
