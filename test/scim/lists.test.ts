/** Lists of users by SCIM: filters, sorting, pages by index, and walks by cursor that lose nobody. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ManagedUserService } from '../../contract/gen/signet/directory_sync/v1/managed_user_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { fillOrganization } from '../../faults/scim/fill.ts'
import { type Send, walkWhileChanging } from '../../faults/scim/walk.ts'
import { bothEngines } from '../support/engines.ts'
import { type Body, ENTERPRISE_SCHEMA, newUser, openScimWorld, type ScimWorld } from '../support/scim.ts'

const SEARCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'
const NAMES = ['anna', 'bert', 'Carl', 'dora', 'emil']

for (const engine of bothEngines) {
  suite(`lists by SCIM on ${engine.name}`, () => {
    let world: ScimWorld
    let org: string
    let first: Body

    before(async () => {
      world = await openScimWorld(engine)
      org = await world.addOrganization('Lists')
      for (const [index, name] of NAMES.entries()) {
        const more = {
          externalId: `ext-${index}`,
          title: index % 2 === 0 ? 'Chief' : 'Clerk',
          displayName: `${name} the ${index}`,
          nickName: index === 0 ? '' : `nick${index}`,
          active: index !== 3,
          [ENTERPRISE_SCHEMA]: { department: index < 2 ? 'North' : 'South' },
        }
        const { body } = await send('POST', '/Users', { body: newUser(name, more) })
        first ??= body
      }
      await world.create('stranger')
    })
    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })
    const owner = () => world.owner.bearer ?? ''
    const send: ScimWorld['send'] = (method, path, question = {}) =>
      world.send(method, path, { token: owner(), organizationId: org, ...question })
    const namesOf = ({ body }: { body: Body }) => body.Resources?.map(({ userName }: Body) => userName)
    const find = async (filter: string) => {
      const reply = await send('GET', `/Users?filter=${encodeURIComponent(filter)}&sortBy=userName`)
      assert.equal(reply.status, 200, `${filter}: ${JSON.stringify(reply.body)}`)
      assert.equal(reply.body.totalResults, reply.body.Resources.length)
      return namesOf(reply)
    }

    test('find users by every operator', async () => {
      const cases: [string, string[]][] = [
        ['userName eq "ANNA"', ['anna']],
        ['userName ne "anna"', ['bert', 'Carl', 'dora', 'emil']],
        ['username co "er"', ['bert']],
        ['userName sw "c"', ['Carl']],
        ['userName ew "l"', ['Carl', 'emil']],
        ['userName gt "carl"', ['dora', 'emil']],
        ['userName ge "carl"', ['Carl', 'dora', 'emil']],
        ['userName lt "bert"', ['anna']],
        ['userName le "bert"', ['anna', 'bert']],
        ['userName pr', ['anna', 'bert', 'Carl', 'dora', 'emil']],
        ['nickName pr', ['bert', 'Carl', 'dora', 'emil']],
        ['nickName eq null', ['anna']],
        ['id eq "nobody"', []],
        [`id eq "${first.id}"`, ['anna']],
        ['externalId eq "ext-2"', ['Carl']],
        ['externalId eq "EXT-2"', []],
        ['externalId ne "ext-2"', ['anna', 'bert', 'dora', 'emil']],
        ['externalId sw "ext-" and externalId ge "ext-3"', ['dora', 'emil']],
        ['name.familyName eq "dora"', ['dora']],
        ['name.givenName eq "ada" and not (active eq true)', ['dora']],
        ['active eq "False"', ['dora']],
        ['active ne false', ['anna', 'bert', 'Carl', 'emil']],
        ['emails eq "bert@example.com"', ['bert']],
        ['emails.value sw "E"', ['emil']],
        ['emails[type eq "work" and value eq "bert@example.com"]', ['bert']],
        ['emails[type eq "home" and value eq "bert@example.com"]', []],
        ['emails[type eq "work"].value eq "anna@example.com"', ['anna']],
        ['title eq "chief"', ['anna', 'Carl', 'emil']],
        [`${ENTERPRISE_SCHEMA}:department eq "North"`, ['anna', 'bert']],
        ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "emil"', ['emil']],
        ['userName eq "anna" or userName eq "bert" and active eq false', ['anna']],
        ['(userName eq "anna" or userName eq "dora") and active eq false', ['dora']],
        ['not (title eq "chief") and not (nickName pr and userName eq "bert")', ['dora']],
        [`meta.created ge "${first.meta.created}"`, ['anna', 'bert', 'Carl', 'dora', 'emil']],
        ['meta.lastModified lt "2020-01-01T00:00:00Z"', []],
        ['meta.lastModified gt "2020-01-01T00:00:00Z"', ['anna', 'bert', 'Carl', 'dora', 'emil']],
        ['displayName co "the 1"', ['bert']],
        ['userName eq "a\\"b"', []],
      ]
      for (const [filter, names] of cases) assert.deepEqual(await find(filter), names, filter)
    })

    test('find a user by each address, and not the user who has it by its negation', async () => {
      const organizationId = await world.addOrganization('Addresses')
      const emails = (...values: string[]) => ({
        emails: values.map((value, index) => ({ value, type: index === 0 ? 'work' : 'home', primary: index === 0 })),
      })
      const add = (name: string, ...values: string[]) =>
        send('POST', '/Users', { organizationId, body: newUser(name, emails(`${name}@work.example`, ...values)) })
      await add('one')
      await add('two', 'Second@Home.example')
      await add('many', ...[1, 2, 3, 4, 5].map((index) => `many${index}@other.example`))
      const reply = await add('moved', 'moved@home.example')
      const moved = reply.body.id as string
      await world.call(ManagedUserService.method.detachUser, { userId: moved }, world.owner)
      await world.call(UserService.method.setEmail, { userId: moved, email: 'new@new.example' }, world.owner)
      const found = async (filter: string) => {
        const path = `/Users?filter=${encodeURIComponent(filter)}&sortBy=userName`
        return namesOf(await send('GET', path, { organizationId }))
      }
      const cases: [string, string[]][] = [
        ['emails.value eq "second@home.example"', ['two']],
        ['emails eq "second@home.example"', ['two']],
        ['emails.value co "second"', ['two']],
        ['emails.value sw "SECOND"', ['two']],
        ['emails.value ew "@home.example"', ['moved', 'two']],
        ['emails[value eq "second@home.example"]', ['two']],
        ['emails[type eq "home" and value eq "second@home.example"]', ['two']],
        ['emails[type eq "work" and value eq "second@home.example"]', []],
        ['emails[type eq "home"].value eq "second@home.example"', ['two']],
        ['emails.value eq "many5@other.example"', ['many']],
        ['emails.value eq "moved@work.example"', []],
        ['emails.value eq "new@new.example"', ['moved']],
        ['not (emails.value eq "second@home.example")', ['many', 'moved', 'one']],
        ['emails.value ne "second@home.example"', ['many', 'moved', 'one']],
        ['emails.value gt "t"', ['two']],
        ['emails pr', ['many', 'moved', 'one', 'two']],
      ]
      for (const [filter, names] of cases) assert.deepEqual(await found(filter), names, filter)
    })

    test('find one of many users by a second address from an index, and refuse to compare all of them', async () => {
      const organizationId = await world.addOrganization('Many addresses')
      await fillOrganization(world.store, 1_100, { organizationId, userId: world.directory.userId, names: 'own' })
      const emails = ['primary@own.example', 'second@own.example'].map((value, index) => ({ value, primary: !index }))
      await send('POST', '/Users', { organizationId, body: newUser('both', { emails }) })
      const ask = (filter: string) => send('GET', `/Users?filter=${encodeURIComponent(filter)}`, { organizationId })
      for (const filter of ['emails.value eq "second@own.example"', 'emails.value co "second@own"']) {
        assert.deepEqual(namesOf(await ask(filter)), ['both'], filter)
      }
      for (const filter of ['emails.value ne "second@own.example"', 'not (emails eq "second@own.example")']) {
        assert.equal((await ask(filter)).body.scimType, 'tooMany', filter)
      }
      const sorted = await send('GET', '/Users?sortBy=title', { organizationId })
      assert.deepEqual([sorted.status, sorted.body.scimType], [400, 'tooMany'])
      assert.match(sorted.body.detail, /cannot be sorted by title/)
    })

    test('refuse what is not a filter, or names what does not exist', async () => {
      const deep = `${'('.repeat(30)}userName pr${')'.repeat(30)}`
      const many = Array.from({ length: 60 }, () => 'id pr').join(' or ')
      const cases = [
        'userName',
        'userName eq',
        'userName is "x"',
        'eq "x"',
        '(userName pr',
        'userName pr)',
        'shoes eq 1',
      ]
      cases.push('emails[type eq "x"', 'password eq "x"', 'userName eq "x" and', deep, many, 'x'.repeat(1001), '"')
      cases.push(
        'emails[shoe eq 1]',
        'active gt true',
        'emails.primary le false',
        'emails[primary ge true and value pr]',
        'x509Certificates.value lt "a"',
        'x509Certificates gt "a"',
        'x509Certificates[value gt "a"]',
        'meta.created gt "yesterday"',
        'userName eq "\\q"',
        '__proto__ pr',
        'constructor pr',
      )
      for (const filter of cases) {
        const { status, body } = await send('GET', `/Users?filter=${encodeURIComponent(filter)}`)
        assert.deepEqual([status, body.scimType], [400, 'invalidFilter'], filter)
      }
    })

    test('are sorted', async () => {
      const sorted = async (query: string) => namesOf(await send('GET', `/Users?${query}`))
      assert.deepEqual(await sorted('sortBy=userName'), NAMES)
      assert.deepEqual(await sorted('sortBy=emails.value&sortOrder=descending'), NAMES.toReversed())
      assert.deepEqual(await sorted('sortBy=meta.created&count=2'), ['anna', 'bert'])
      const department = encodeURIComponent(`${ENTERPRISE_SCHEMA}:department`)
      assert.deepEqual(await sorted(`sortBy=${department}&count=2`), ['anna', 'bert'])
      assert.deepEqual(await sorted('sortBy=externalId&sortOrder=descending'), NAMES.toReversed())
      assert.deepEqual(await sorted('sortBy=active&count=1'), ['dora'])
      assert.deepEqual(await sorted('sortBy=title&startIndex=4'), ['bert', 'dora'])
      for (const query of [
        'sortBy=name',
        'sortBy=addresses',
        'sortBy=password',
        'sortBy=shoes',
        'sortBy=id&sortOrder=up',
        'count=many',
        'startIndex=x',
      ]) {
        const { status, body } = await send('GET', `/Users?${query}`)
        assert.deepEqual([status, body.scimType], [400, 'invalidValue'], query)
      }
    })

    test('have those without a value last, and first when descending', async () => {
      const sorted = async (query: string) => {
        const { body } = await send('GET', `/Users?sortBy=${query}`)
        return [body.totalResults, body.Resources.map(({ userName }: Body) => userName)]
      }
      const ascending = ['bert', 'Carl', 'dora', 'emil', 'anna']
      assert.deepEqual(await sorted('nickName'), [5, ascending])
      assert.deepEqual(await sorted('nickName&sortOrder=descending'), [5, ascending.toReversed()])
      assert.deepEqual(await sorted('nickName&startIndex=4&count=2'), [5, ['emil', 'anna']])
      assert.deepEqual(await sorted('nickName&sortOrder=descending&count=2'), [5, ['anna', 'emil']])
      assert.deepEqual(await sorted('nickName&startIndex=6'), [5, []])
      const without = `&filter=${encodeURIComponent('title eq "clerk" or userName eq "anna"')}`
      assert.deepEqual(await sorted(`nickName${without}`), [3, ['bert', 'dora', 'anna']])
      assert.deepEqual(await sorted(`nickName&sortOrder=descending${without}`), [3, ['anna', 'dora', 'bert']])
    })

    test('have pages by index', async () => {
      const page = await send('GET', '/Users?sortBy=userName&startIndex=2&count=2')
      const { totalResults, startIndex, itemsPerPage } = page.body
      assert.deepEqual([totalResults, startIndex, itemsPerPage, namesOf(page)], [5, 2, 2, ['bert', 'Carl']])
      const none = await send('GET', '/Users?count=0')
      assert.deepEqual([none.body.totalResults, none.body.Resources], [5, []])
      assert.equal((await send('GET', '/Users?count=100000&startIndex=-4')).body.Resources.length, 5)
    })

    test('are searched with a body', async () => {
      const body = {
        schemas: [SEARCH_SCHEMA],
        filter: 'userName sw "a"',
        attributes: ['userName'],
        startIndex: 1,
        count: 10,
      }
      const reply = await send('POST', '/Users/.search', { body })
      const [{ id: _, schemas, ...rest }] = reply.body.Resources
      assert.deepEqual([reply.status, rest, schemas.length], [200, { userName: 'anna' }, 2])
      assert.equal((await send('POST', '/Users/.search', { body: { filter: '' } })).body.scimType, 'invalidSyntax')
    })

    test('are walked by cursor, and refuse cursors of others', async () => {
      const begin = await send('GET', '/Users?cursor&count=2')
      assert.deepEqual([begin.body.totalResults, begin.body.Resources.length, begin.body.startIndex], [5, 2, undefined])
      const next = `cursor=${begin.body.nextCursor}`
      assert.equal((await send('GET', `/Users?${next}&count=2`)).body.Resources.length, 2)
      const refusals: [string, string][] = [
        ['cursor=nonsense', 'invalidCursor'],
        [`${next}&filter=${encodeURIComponent('id pr')}`, 'invalidCursor'],
        [`cursor=${Buffer.from('[1,"x"]').toString('base64url')}`, 'invalidCursor'],
        [
          `cursor=${Buffer.from(`[1,"${org}/Users","[\\"\\",\\"ascending\\"]",1e15,5,"a"]`).toString('base64url')}`,
          'expiredCursor',
        ],
        ['cursor&count=x', 'invalidCount'],
        ['cursor&sortBy=userName', 'invalidValue'],
      ]
      for (const [query, scimType] of refusals) {
        const { status, body } = await send('GET', `/Users?${query}`)
        assert.deepEqual([status, body.scimType], [400, scimType], query)
      }
    })

    test('lose nobody and repeat nobody in a walk by cursor while users come, go and are renamed', async () => {
      const organizationId = await world.addOrganization('Walked')
      const { ids } = await fillOrganization(world.store, 300, { organizationId, userId: world.directory.userId })
      const to =
        (path: ScimWorld['send']): Send =>
        (method, place, question = {}) =>
          path(method, place, { token: owner(), organizationId, ...question })
      const nodes = [to(world.send), to(world.sendHttp2)] as const
      const walked = await walkWhileChanging({ nodes, ids, pageSize: 20, changes: 30, by: 'cursor' })
      const { lost, doubled, gone, kept, changed } = walked
      assert.deepEqual({ lost, doubled, gone, changed }, { lost: 0, doubled: 0, gone: 0, changed: 30 })
      assert.ok(kept >= 270)
    })
  })
}
