import { begin, expect, square, test } from "../fixtures.js";
import { person, play } from "../people.js";

const languages = {
  "en-US": { lang: "en", title: "Count the line.", first: "Black", second: "White", play: "Play the computer", board: "slate", wins: "White wins" },
  "nl-NL": { lang: "nl", title: "Tel de lijn.", first: "Rood", second: "Wit", play: "Speel tegen de computer", board: "redwhite", wins: "Wit wint" },
  "es-MX": { lang: "es", title: "Cuenta la línea.", first: "Negras", second: "Blancas", play: "Jugar contra el ordenador", board: "slate", wins: "Ganan Blancas" },
  "de-AT": { lang: "de", title: "Zähl die Linie.", first: "Schwarz", second: "Weiß", play: "Gegen den Computer spielen", board: "slate", wins: "Weiß gewinnt" },
  "fr-CA": { lang: "fr", title: "Comptez la ligne.", first: "Noirs", second: "Blancs", play: "Jouer contre l’ordinateur", board: "slate", wins: "Les Blancs gagnent" },
  "zh-CN": { lang: "zh-Hans", title: "数数线上有几子", first: "黑方", second: "白方", play: "与电脑对弈", board: "slate", wins: "白方胜" },
  "ja-JP": { lang: "ja", title: "ラインを数え", first: "黒", second: "白", play: "コンピューターと対局", board: "slate", wins: "白の勝ち" },
};

/** What of the page is wider than its room. */
const wide = () => {
  const out = document.documentElement.scrollWidth > innerWidth ? [`a page of ${document.documentElement.scrollWidth}`] : [];
  for (const node of document.querySelectorAll("h1, h2, th, summary, .btn, .tab, .bar a, .logo, .seg label, .stops b, select")) {
    const { left, right, width } = node.getBoundingClientRect();
    if (width < 2 || node.closest(".tabs, .strip") || node.closest("[popover]:not(:popover-open)")) continue;
    const cut = !node.matches("select, .logo, .tab") && node.clientWidth > 0 && node.scrollWidth > node.clientWidth + 1;
    if (cut || left < -0.5 || right > innerWidth + 0.5) out.push(`${node.tagName} ${node.textContent.trim()}: ${node.scrollWidth} in ${node.clientWidth}, to ${right}`);
  }
  const boxes = [...document.querySelectorAll(".top > *")].map((node) => [node.getBoundingClientRect(), node.textContent]).filter(([box]) => box.width);
  for (const [i, [box, text]] of boxes.entries()) {
    if (i && box.left < boxes[i - 1][0].right - 0.5) out.push(`${text.trim()} over ${boxes[i - 1][1].trim()}`);
  }
  return out;
};

for (const [locale, want] of Object.entries(languages)) {
  test.describe(locale, () => {
    test.use({ locale });

    test("on the narrowest and a wide screen everything has room", async ({ page }) => {
      const fits = async (path) => {
        for (const [width, height] of [[320, 568], [390, 844], [1440, 900]]) {
          await page.setViewportSize({ width, height });
          expect.soft(await page.evaluate(wide), `${path} at ${width}`).toEqual([]);
        }
      };
      for (const path of ["/", "/lobby", "/board", "/learn", "/guide", "/openings?moves=d8-b6", "/puzzles/daily", "/players", "/sign-in", "/join", "/challenge"]) {
        await page.goto(path);
        await fits(path);
      }
      await begin(page);
      await square(page, "b1").click();
      await fits("a game");
      await page.locator("[data-act=help]").click();
      await expect(page.locator("#reader button")).not.toHaveCount(0);
      await fits("help");
      await page.locator("[data-act=resign]").click();
      await page.locator("#reader .bad").click();
      await expect(page.locator("#reader h2")).toBeVisible();
      await fits("the result");
    });

    test("the pages speak the browser's language", async ({ page }) => {
      await page.goto("/");
      await expect(page.locator("html")).toHaveAttribute("lang", want.lang);
      await expect(page.locator("html")).toHaveAttribute("data-board", want.board);
      await expect(page.locator("h1")).toContainText(want.title);
      await expect(page.getByRole("button", { name: want.play })).toBeVisible();
      await expect(page.locator("#reader")).toContainText(want.first);
      await begin(page);
      await expect(page.locator("#reader")).toContainText(want.first);
      await square(page, "b1").click();
      await page.locator("[data-act=resign]").click();
      await page.locator("#reader .bad").click();
      await expect(page.locator("#reader h2")).toHaveText(want.wins);
      await expect(page.locator("#pieces")).toContainText(want.second);
      const text = await page.locator("body").innerText();
      expect(text).not.toMatch(/\{\{|undefined|\b(result|turn|ray|act)\.[a-z]/);
    });

    test("people meet and play in it", async ({ page, browser, club }) => {
      const other = await person(browser, club, { locale });
      const raw = /\{\{|undefined|NaN|\b(result|turn|ray|act|lobby|wish|challenge|watch|offer|claim|control|unit|rated|terms|state|clock|talk|report|follow|people|player)\.[a-z]/;
      const clean = async (one) => expect(await one.locator("body").innerText()).not.toMatch(raw);
      await other.goto("/lobby?seek=1&control=3d%2Fmove&rules=random");
      for (const path of ["/lobby", "/lobby?seek=1&control=1%2B2", "/challenge", "/watch"]) {
        await page.goto(path);
        if (path.startsWith("/lobby")) await expect(page.locator("#wait")).not.toBeEmpty();
        await clean(page);
      }
      await clean(other);
      await expect(other.locator("#seeks tr")).toHaveCount(1);
      await other.locator("#seeks button").click(); // it would stand for those who come after
      await expect(other.locator("#seeks tr")).toHaveCount(0);
      await page.goto("/challenge");
      await page.locator("form.terms [type=submit]").first().click();
      await expect(page.locator(".qr")).toBeVisible();
      await clean(page);
      await page.goto("/watch");
      const link = await page.request.post("/challenge", { form: { control: "5+3", color: "black" } });
      await other.goto(link.url());
      await clean(other);
      await other.locator("main form .go").click();
      await other.waitForURL(/\/game\//);
      await page.goto(other.url());
      await page.goto("/people");
      await clean(page);
      await page.goto(`/report?game=${other.url().split("/").at(-1)}`);
      await clean(page);
      await page.goto("/players");
      await clean(page);
      await page.goto(other.url());
      await play(page, other, "b1", "b3");
      await play(other, page, "a2", "c2");
      await page.locator("[data-act=draw]").click();
      await expect(other.locator("#reader .go")).toBeVisible();
      for (const one of [page, other]) await clean(one);
      await other.locator("#reader .go").click();
      await expect(page.locator("#reader h2")).toBeVisible();
      for (const one of [page, other]) await clean(one);
      await other.context().close();
    });
  });
}

test("another language can be chosen and is remembered", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Language and look" }).click();
  await page.locator("[name=lang]").selectOption("nl");
  await expect(page.locator("html")).toHaveAttribute("lang", "nl");
  await expect(page.locator("html")).toHaveAttribute("data-board", "redwhite");
  await page.reload();
  await expect(page.locator("h1")).toContainText("Tel de lijn.");
  await page.getByRole("button", { name: "Taal en uiterlijk" }).click();
  await page.locator("#look [name=board]").selectOption("wood");
  await expect(page.locator("html")).toHaveAttribute("data-board", "wood");
  await expect(page.locator("#reader")).toContainText("Zwart");
});
