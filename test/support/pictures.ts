// Pictures of pages, held against kept ones. Both are made small and compared block by block, so that a smoothed edge is no
// difference and a moved panel is. Fonts differ between machines, which is said in a sentence.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

/** What another machine may draw otherwise: the width of words in the fonts of the style sheet, in hundredths of a pixel. */
export type Fonts = Record<string, number>

const MEASURED = ['Liquidity 1,234.56', 'wallets WWW iii', '0x53b9…1914']

/** Measures the fonts of an open page. */
export const measureFonts = (page: Page): Promise<Fonts> =>
  page.evaluate((texts) => {
    const canvas = document.createElement('canvas').getContext('2d')
    const family = getComputedStyle(document.documentElement).fontFamily
    return Object.fromEntries(
      ['13px', 'bold 13px'].flatMap((size) =>
        texts.map((text) => {
          if (!canvas) return [text, 0]
          canvas.font = `${size} ${family}`
          return [`${size} ${text}`, Math.round(canvas.measureText(text).width * 100)]
        }),
      ),
    )
  }, MEASURED)

/** Why pictures cannot be compared here; null when they can. */
export function differentFonts(kept: Fonts, here: Fonts): string | null {
  const other = Object.keys(kept).find((text) => kept[text] !== here[text])
  return other === undefined
    ? null
    : `the kept pictures were drawn with other fonts: "${other}" is ${kept[other]} there and ${here[other]} here (hundredths of a pixel)`
}

/** A kept picture is this share of the page's width. */
const REDUCED = 0.4
/** Side of a block in pixels of the reduced picture. */
const BLOCK = 5
/** Of 255: how far the means of a block may be apart. */
const MOST_APART = 24

/** Makes a PNG small: the address of a WebP, as `data:`. `blank` is a page that forbids nothing. */
export const reduce = (blank: Page, png: Buffer): Promise<string> =>
  blank.evaluate(
    async ([address, scale]) => {
      const image = new Image()
      image.src = address
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = Math.round(image.width * scale)
      canvas.height = Math.round(image.height * scale)
      const context = canvas.getContext('2d')
      if (context) context.imageSmoothingQuality = 'high'
      context?.drawImage(image, 0, 0, canvas.width, canvas.height)
      return canvas.toDataURL('image/webp', 0.7)
    },
    [`data:image/png;base64,${png.toString('base64')}`, REDUCED] as const,
  )

/** The share of blocks that differ between two pictures; what only one of them has differs. */
export const compare = (blank: Page, one: string, other: string): Promise<number> =>
  blank.evaluate(
    async ([first, second, side, mostApart]) => {
      const read = async (address: string) => {
        const image = new Image()
        image.src = address
        await image.decode()
        const canvas = document.createElement('canvas')
        canvas.width = image.width
        canvas.height = image.height
        const context = canvas.getContext('2d')
        context?.drawImage(image, 0, 0)
        return {
          ...{ width: image.width, height: image.height },
          bytes: context?.getImageData(0, 0, image.width, image.height).data,
        }
      }
      const [a, b] = [await read(first), await read(second)]
      const meanOf = ({ width, height, bytes }: typeof a, x: number, y: number, channel: number) => {
        let [sum, count] = [0, 0]
        for (let row = y; row < Math.min(y + side, height); row += 1)
          for (let column = x; column < Math.min(x + side, width); column += 1) {
            sum += bytes?.[(row * width + column) * 4 + channel] ?? 0
            count += 1
          }
        return count === 0 ? Number.NaN : sum / count
      }
      let [different, all] = [0, 0]
      for (let y = 0; y < Math.max(a.height, b.height); y += side)
        for (let x = 0; x < Math.max(a.width, b.width); x += side) {
          all += 1
          const isLike = [0, 1, 2].every(
            (channel) => Math.abs(meanOf(a, x, y, channel) - meanOf(b, x, y, channel)) <= mostApart,
          )
          if (!isLike) different += 1
        }
      return different / all
    },
    [one, other, BLOCK, MOST_APART] as const,
  )

/** A folder of kept pictures. */
export function openPictures(folder: string) {
  const pathOf = (name: string) => join(folder, `${name}.webp`)
  return {
    fonts: (): Fonts | null => {
      const path = join(folder, 'fonts.json')
      return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Fonts) : null
    },
    keepFonts: (fonts: Fonts) => writeFileSync(join(folder, 'fonts.json'), `${JSON.stringify(fonts, null, 2)}\n`),
    read: (name: string): string | null =>
      existsSync(pathOf(name)) ? `data:image/webp;base64,${readFileSync(pathOf(name), 'base64')}` : null,
    keep: (name: string, picture: string) => writeFileSync(pathOf(name), toBytes(picture)),
    /** Puts a picture that differs where a person can look at it; returns its path. */
    show: (name: string, picture: string): string => {
      const shown = join(tmpdir(), 'assay-pictures')
      mkdirSync(shown, { recursive: true })
      const path = join(shown, `${name}.webp`)
      writeFileSync(path, toBytes(picture))
      return path
    },
  }
}

const toBytes = (picture: string): Buffer => Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64')
