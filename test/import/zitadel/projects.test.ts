/** What becomes of projects and of what hangs on them. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { serviceProvider } from '../../support/service-provider.ts'
import { authorization, instance, moveOf, organization, peerWorld, project, user } from './peer-world.ts'

const USER = '200000000000000001'
const second = { ...organization, id: 'o2', owner: 'o2' }

suite('projects of a ZITADEL', () => {
  test('a removed role leaves grants and authorizations, also where no event says so', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    await world.add(second, { 'org.added': { name: 'Second' } })
    await world.addHuman(USER)
    await world.add(project('p1'), { 'project.added': { name: 'One' }, 'project.role.added': { key: 'a' } })
    await world.add(project('p1'), {
      'project.role.added': { key: 'b', displayName: 'Bee' },
      'project.grant.added': { grantId: 'g1', grantedOrgId: 'o2', roleKeys: ['a', 'b'] },
      'project.role.removed': { key: 'a' },
    })
    const roleKeys = ['a', 'b']
    await world.add(authorization('z1'), { 'user.grant.added': { userId: USER, projectId: 'p1', roleKeys } })
    await world.add(authorization('z2', 'o2'), {
      'user.grant.added': { userId: USER, projectId: 'p1', grantId: 'g1', roleKeys },
    })
    assert.deepEqual((await world.draft('project')).roles, [{ key: 'b', displayName: 'Bee', group: '' }])
    assert.deepEqual((await world.draft('project-grant')).roleKeys, ['b'])
    assert.deepEqual((await world.draft('authorization', 'z1')).roleKeys, ['b'])
    assert.equal((await world.draft('authorization', 'z2')).projectGrantId, 'g1')
  })

  test('what hangs on a removed project, grant or organization does not arrive', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    await world.add(second, { 'org.added': { name: 'Second' } })
    await world.addHuman(USER)
    await world.add(project('p1'), {
      'project.added': { name: 'One' },
      'project.application.added': { appId: 'a1', name: 'App' },
      'project.application.config.api.added': { appId: 'a1', clientId: 'c1' },
      'project.grant.added': { grantId: 'g1', grantedOrgId: 'o2' },
      'project.member.added': { userId: USER, roles: ['PROJECT_OWNER'] },
      'project.grant.member.added': { userId: USER, grantId: 'g1', roles: ['PROJECT_GRANT_OWNER'] },
    })
    await world.add(authorization('z1'), { 'user.grant.added': { userId: USER, projectId: 'p1' } })
    await world.add(authorization('z2', 'o2'), { 'user.grant.added': { userId: USER, projectId: 'p1', grantId: 'g1' } })
    const count = async (...wanted: string[]) =>
      (await world.read()).drafts.filter(({ kind }) => wanted.includes(kind)).length
    assert.equal(await count('application', 'project-grant', 'administrator', 'authorization'), 6)
    await world.add(second, { 'org.removed': null })
    assert.equal(await count('project-grant'), 0)
    assert.equal(await count('administrator'), 1)
    assert.equal(await count('authorization'), 1)
    await world.add(project('p1'), { 'project.removed': null })
    assert.equal(await count('project', 'application', 'project-grant', 'administrator', 'authorization'), 0)
  })

  test('an application arrives with its configuration, and one without is named', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    await world.add(project('p1'), {
      'project.added': { name: 'One' },
      'project.application.added': { appId: 'a1', name: 'Web' },
      'project.application.config.oidc.added': {
        appId: 'a1',
        clientId: '123@one',
        hashedSecret: '$2a$04$first',
        redirectUris: ['https://app.example/cb'],
        responseTypes: [0],
        grantTypes: [0, 2],
        authMethodType: 1,
        clockSkew: 2_000_000_000,
        loginVersion: 2,
        loginBaseURI: 'https://login.example',
      },
      'project.application.config.oidc.changed': { appId: 'a1', redirectUris: [], accessTokenType: 1 },
      'project.application.config.oidc.secret.changed': { appId: 'a1', hashedSecret: '$2a$04$second' },
    })
    await world.add(project('p1'), { 'project.application.added': { appId: 'a2', name: 'Empty' } })
    const draft = await world.draft('application')
    assert.deepEqual([draft.clientId, draft.secret], ['123@one', { hash: '$2a$04$second' }])
    const { config } = draft
    assert.ok(config.type === 'oidc')
    assert.deepEqual(config.redirectUris, [])
    assert.deepEqual(config.grantTypes, ['authorization_code', 'refresh_token'])
    assert.deepEqual([config.authMethod, config.accessTokenType, config.clockSkewMs], ['post', 'jwt', 2000])
    assert.deepEqual(config.loginVersion, { type: 'v2', baseUri: 'https://login.example' })
    assert.ok((await world.read()).remarks.some(({ id, reason }) => id === 'a2' && reason.includes('never configured')))
  })

  test('ZI2: a SAML application is carried with its metadata', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    const saml = (xml: string) => ({ metadata: Buffer.from(xml).toString('base64') })
    const address = 'https://sp.example/metadata'
    await world.add(project('p1'), {
      'project.added': { name: 'One' },
      'project.application.added': { appId: 'a1', name: 'Service' },
      'project.application.config.saml.added': {
        appId: 'a1',
        entityId: 'https://sp.example',
        ...saml(serviceProvider('https://sp.example')),
      },
      'project.application.config.saml.changed': { appId: 'a1', metadata_url: address, loginVersion: 1 },
    })
    await world.add(project('p1'), {
      'project.application.added': { appId: 'a2', name: 'Broken' },
      'project.application.config.saml.added': { appId: 'a2', entityId: 'x', ...saml('<no-metadata/>') },
    })
    const { config, name } = await world.draft('application')
    assert.ok(config.type === 'saml')
    assert.deepEqual(
      [name, config.entityId, config.metadataUrl, config.loginVersion],
      ['Service', 'https://sp.example', address, { type: 'v1' }],
    )
    assert.ok(config.responseServices.length > 0)
    assert.match((await world.read()).remarks.find(({ id }) => id === 'a2')?.reason ?? '', /its metadata must/)
    const kinds = await moveOf(world, t)
    assert.deepEqual([kinds.application?.carried, kinds.application?.refused], [1, 0])
  })

  test('ZI1: a member that nobody asks for is in the report, by the type of its event', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    await world.addHuman(USER, { admitsUntil: '2030', triggerOrigin: 'https://x.example' })
    await world.add(project('p1'), {
      'project.added': { name: 'One' },
      'project.application.added': { appId: 'a1', name: 'Web' },
      'project.application.config.oidc.added': { appId: 'a1', clientId: 'c', admitsOnly: ['staff'] },
    })
    await world.add(instance, {
      'instance.idp.google.added': { id: 'i1', name: 'G', clientId: 'c', hostedDomain: 'corp.example' },
    })
    const { remarks } = await world.read()
    assert.deepEqual(
      remarks.filter(({ kind }) => kind === 'event').map(({ id, reason }) => [id, /“(\w+)”/.exec(reason)?.[1]]),
      [
        ['instance.idp.google.added', 'hostedDomain'],
        ['project.application.config.oidc.added', 'admitsOnly'],
        ['user.human.added', 'admitsUntil'],
      ],
    )
  })

  test('a role that there is not here is named, and never replaced by another', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    await world.addHuman(USER)
    await world.add(instance, { 'instance.member.added': { userId: USER, roles: ['IAM_HELPDESK'] } })
    await world.add(organization, {
      'org.member.added': { userId: USER, roles: ['ORG_OWNER', 'ORG_AUDITOR'] },
    })
    assert.deepEqual((await world.draft('administrator')).roles, ['ORG_OWNER'])
    const reasons = (await world.read()).remarks.map(({ reason }) => reason).join()
    assert.match(reasons, /IAM_HELPDESK.*ORG_AUDITOR/s)
  })

  test('the project of the API of ZITADEL stays behind, with what is on it', async (t) => {
    const world = await peerWorld(t)
    if (!world) return
    await world.add(project('p0'), { 'project.added': { name: 'ZITADEL' } })
    await world.add(instance, { 'instance.iam.project.set': { iamProjectId: 'p0' } })
    await world.addHuman(USER)
    await world.add(authorization('z1'), { 'user.grant.added': { userId: USER, projectId: 'p0' } })
    await world.add(user(USER), { 'user.locked': null })
    const { drafts, remarks } = await world.read()
    assert.equal(
      drafts.some(({ kind }) => kind === 'project' || kind === 'authorization'),
      false,
    )
    assert.deepEqual(remarks.filter(({ id }) => id === 'p0' || id === 'z1').length, 2)
    const settings = drafts.find((draft) => draft.kind === 'settings' && draft.section === 'instance')
    assert.ok(settings?.kind === 'settings' && settings.section === 'instance')
    assert.equal(settings.values.apiProjectId, 'p0')
    assert.equal((await world.draft('human')).state, 'locked')
  })
})
