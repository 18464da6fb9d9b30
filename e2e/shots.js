// Takes pictures of the main pages for review: at four widths, light and dark, in the language asked for.
// Usage: LOA_BIN=path node shots.js [folder] [language]

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import config from "./playwright.config.js";
import { Club } from "./club.js";

const [folder = "shots", language = "en"] = process.argv.slice(2);
const WIDTHS = [[320, 640], [390, 844], [768, 1024], [1440, 900]];
const PAGES = { home: "/", lobby: "/lobby", watch: "/watch", puzzles: "/puzzles", board: "/board", learn: "/learn", guide: "/guide", openings: "/openings", players: "/players", "sign-in": "/sign-in", join: "/join", invite: "/challenge", error: "/nothing-here", gallery: "/gallery" };

const browser = await chromium.launch(config.use.launchOptions);
const club = await Club.open("--develop");
let taken = 0;
try {
  await mkdir(folder, { recursive: true });
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    for (const [width, height] of WIDTHS) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme, locale: language, reducedMotion: "reduce" });
      const page = await context.newPage();
      const shot = async (name) => {
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}-${language}.png`) });
        taken++;
      };
      for (const [name, path] of Object.entries(PAGES)) {
        await page.goto(club.url + path);
        await page.waitForLoadState("networkidle");
        await shot(name);
      }
      await page.goto(club.url);
      await page.locator("#play [type=submit]").click();
      await page.waitForURL(/\/game\//);
      await page.locator("#board .grab").first().waitFor();
      await page.locator(".sq[data-square=c8]").click();
      await shot("game");
      await page.keyboard.press("Escape");
      await page.locator("[data-act=resign]").click();
      await page.locator("#reader .bad").click();
      await page.locator("main.end").waitFor();
      await shot("result");
      await context.close();
    }
  }
  console.log(`${taken} pictures in ${folder}`);
} finally {
  await browser.close();
  await club.close();
}
