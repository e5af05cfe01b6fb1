import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, test } from 'node:test'
import { CLIENTS, createSignIn } from '../../../../packages/mcp/src/testing/clients.ts'
import { startHttp } from '../../../../packages/mcp/src/testing/start-mcp.ts'
import { createStarter, readLoginCode } from '../../../cli/src/testing/start-meadow.ts'
import { startClientDocument } from '../../../server/src/testing/client-document.ts'
import { assertAccessible } from '../testing/assert-accessible.ts'
import { noBrowser } from '../testing/browser.ts'
import { shareDemo } from '../testing/share-demo.ts'
import { PHONE, TOUCH_PHONE, useApp } from '../testing/start-app.ts'

describe('the page on which programs are signed in', { skip: noBrowser }, () => {
  const app = useApp(shareDemo)
  afterEach(() => app.checkTroubles())

  const begin = async () => {
    const body = new URLSearchParams({ client_id: 'meadow login', device_name: 'studio-7' })
    const response = await fetch(`${app.demo.address}/oauth/device_authorization`, { method: 'POST', body })
    return ((await response.json()) as { user_code: string }).user_code
  }

  test('[WEB-270, CMD-35] given a login in a terminal, when its person opens the page, signs in, chooses a folder and confirms with the keyboard, then the command has a token, which the settings list', async (t) => {
    const { start } = await createStarter(t)
    const { address } = app.demo
    const owner = await app.owner()
    const path = `/folders/${owner.me.teams[0]!.rootFolderId}/folders`
    await app.ask(owner, path, { method: 'POST', body: { name: 'Structures' } })
    const { child, finished } = start('meadow', ['login', address])
    const code = await readLoginCode(child, address)
    const page = await app.open({ isSignedOut: true })
    await page.goto(`/device?code=${code}`)
    await page.getByText('Sign in first.').waitFor()
    await assertAccessible(page)
    await page.getByLabel('E-mail').fill(app.demo.email)
    await page.locator('input[type=password]').fill(app.demo.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('The code to compare').filter({ hasText: code }).waitFor()
    const name = await page.getByRole('textbox', { name: 'Name' }).inputValue()
    assert.match(name, /^meadow login on ./)
    await page.getByText(`A program that calls itself ${name}`).waitFor()
    await page.getByRole('radio', { name: 'Only some folders' }).click()
    assert.ok(await page.getByRole('button', { name: 'Confirm' }).isDisabled())
    await page.getByRole('combobox', { name: 'Folders' }).click()
    await page.getByRole('option', { name: 'Structures' }).click()
    await page.keyboard.press('Escape')
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Refuse' }).focus()
    await page.keyboard.press('Tab')
    assert.equal(await page.locator(':focus').textContent(), 'Confirm')
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: 'Confirmed' }).waitFor()
    await assertAccessible(page)
    const login = await finished
    assert.equal(login.code, 0, login.stderr)
    await page.getByRole('link', { name: /^API tokens of/ }).click()
    const row = page.getByRole('row').filter({ hasText: name })
    await row.getByText('only in Structures').waitFor()
    await row.getByText('valid').waitFor()
    await page.context().close()
  })

  test('[WEB-375, MCP-25] given an assistant that knows the address of MCP alone, when its person signs in, sees who asks and confirms, then the browser brings it a code, and it reads with their token; refused, it gets that', async (t) => {
    const answers = createServer((_, response) => response.end('Back at the assistant.')).listen(
      0,
      '127.0.0.1',
    )
    t.after(() => answers.close())
    await once(answers, 'listening')
    const redirect = `http://127.0.0.1:${(answers.address() as AddressInfo).port}/callback`
    const { id } = await startClientDocument(t, ['http://127.0.0.1/callback'])
    const { url } = await startHttp(t, app.demo.address)
    const [kind] = CLIENTS
    const signIn = createSignIn(id, redirect)
    await assert.rejects(kind.overHttp(t, url, signIn.provider), /Unauthorized/)
    const page = await app.open({ isSignedOut: true })
    await page.goto(signIn.sentTo!.href)
    await page.getByLabel('E-mail').fill(app.demo.email)
    await page.locator('input[type=password]').fill(app.demo.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    const [host, use] = [new URL(id).host, new URL(url).host]
    await page.getByText(`A program of ${host} that calls itself Assistant (${host}) asks`).waitFor()
    await page
      .getByText(`It gets the token at ${new URL(redirect).host} on this computer and uses it at ${use}.`)
      .waitFor()
    await page.getByText('Did you ask it to connect just now?').waitFor()
    assert.equal(await page.getByLabel('The code to compare').count(), 0)
    assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), `Assistant (${host})`)
    const isChosen = (scope: string) => page.getByRole('checkbox', { name: scope }).isChecked()
    assert.deepEqual([await isChosen('documents:read'), await isChosen('team:read')], [true, false])
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('Back at the assistant.').waitFor()
    await kind.finishSignIn(url, signIn.provider, new URL(page.url()).searchParams)
    const assistant = await kind.overHttp(t, url, signIn.provider)
    assert.ok(!(await assistant.call('search_documents')).isError)

    const again = createSignIn(id, redirect)
    await assert.rejects(kind.overHttp(t, url, again.provider), /Unauthorized/)
    await page.goto(again.sentTo!.href)
    await page.getByRole('button', { name: 'Refuse' }).click()
    await page.getByText('Back at the assistant.').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied')
    // Else the page asks nobody but the service.
    const asked = `It asked ${new URL(redirect).origin}.`
    assert.throws(() => app.checkTroubles(), { message: `In the page: ${asked}\n${asked}` })
    await page.context().close()
  })

  test('[WEB-270] given a code that is wrong, typed in another form, or decided, then the page says so; a viewer can only refuse', async () => {
    const page = await app.open({ ...TOUCH_PHONE, at: '/device?code=bbbbbbbb' })
    await page.getByRole('alert').filter({ hasText: 'No program waits with that code' }).waitFor()
    await assertAccessible(page)
    const code = await begin()
    // What was typed stays, and is typed over.
    await page.locator('input:focus').and(page.getByLabel('Code')).waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Code' }).inputValue(), 'BBBB-BBBB')
    await page.keyboard.type(code.replace('-', '').toLowerCase())
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('The code to compare').filter({ hasText: code }).waitFor()
    await page.getByText('Did you start this program yourself?').waitFor()
    const confirm = page.getByRole('button', { name: 'Confirm' })
    const { x, width } = (await confirm.boundingBox())!
    assert.ok(x >= 0 && x + width <= PHONE.viewport.width)
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Refuse' }).click()
    await page.getByRole('status').filter({ hasText: 'Refused' }).waitFor()
    await page.reload()
    await page.getByRole('alert').filter({ hasText: 'No program waits with that code' }).waitFor()
    await page.context().close()

    const viewer = await app.invite('Vera', 'viewer')
    const theirs = await app.open({ person: viewer, at: `/device?code=${await begin()}` })
    await theirs.getByText('You are in no team in which you may create API tokens.').waitFor()
    assert.equal(await theirs.getByRole('button', { name: 'Confirm' }).count(), 0)
    await theirs.getByRole('button', { name: 'Refuse' }).click()
    await theirs.getByRole('status').filter({ hasText: 'Refused' }).waitFor()
    await theirs.context().close()
  })
})
