// What pages can do more with JavaScript; everything works without it.
//
// 1. Light or dark, as chosen; before the first paint, so that nothing flashes. The choice stays in this browser.
// 2. The menu at small widths opens as a button does: Escape closes it, focus comes back, the history stays as it was.
// 3. The list of headings marks the one that is being read.
// 4. Everything that is folded away is printed.
"use strict";
(() => {
  const root = document.documentElement;
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const WIDE = matchMedia("(min-width: 62rem)");

  // 1. Light or dark. Where storage is refused the choice lasts as long as the page.
  const kept = {
    get() { try { return localStorage.getItem("scheme"); } catch { return null; } },
    set(scheme) {
      try {
        if (scheme) localStorage.setItem("scheme", scheme);
        else localStorage.removeItem("scheme");
      } catch { /* the page still changes */ }
    },
  };
  const system = () => (prefersDark.matches ? "dark" : "light");
  const shown = () => root.dataset.scheme || system();
  const apply = (scheme) => {
    if (scheme === "light" || scheme === "dark") root.dataset.scheme = scheme;
    else delete root.dataset.scheme;
    const bar = { light: "#ffffff", dark: "#10161e" };
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
      const own = meta.media.includes("dark") ? "dark" : "light";
      meta.content = bar[root.dataset.scheme || own];
    }
  };
  apply(kept.get());

  const schemes = () => {
    const button = document.querySelector(".scheme");
    if (!button) return;
    const tell = () => button.setAttribute("aria-pressed", String(shown() === "dark"));
    button.hidden = false;
    button.addEventListener("click", () => {
      const wanted = shown() === "dark" ? "light" : "dark";
      // What the system prefers needs no memory.
      const scheme = wanted === system() ? null : wanted;
      kept.set(scheme);
      apply(scheme);
      tell();
    });
    prefersDark.addEventListener("change", tell);
    addEventListener("storage", (event) => {
      if (event.key === "scheme") { apply(event.newValue); tell(); }
    });
    tell();
  };

  // 2. The menu.
  const drawer = () => {
    const menu = document.getElementById("menu");
    const open = document.querySelector(".open");
    const close = menu && menu.querySelector(".close");
    if (!open || !close) return;
    const isOpen = () => menu.classList.contains("is-open");
    const set = (wanted) => {
      menu.classList.toggle("is-open", wanted);
      open.setAttribute("aria-expanded", String(wanted));
      (wanted ? close : open).focus();
    };
    const press = (link, wanted) => {
      link.setAttribute("role", "button");
      link.addEventListener("click", (event) => { event.preventDefault(); set(wanted()); });
      link.addEventListener("keydown", (event) => { if (event.key === " ") { event.preventDefault(); link.click(); } });
    };
    press(open, () => !isOpen());
    press(close, () => false);
    open.setAttribute("aria-expanded", "false");
    open.setAttribute("aria-controls", "menu");
    addEventListener("keydown", (event) => { if (event.key === "Escape" && isOpen()) set(false); });
    document.addEventListener("click", (event) => {
      if (isOpen() && !menu.contains(event.target) && !open.contains(event.target)) set(false);
    });
    // Whoever tabs out of the open menu has left it.
    menu.addEventListener("focusout", (event) => {
      if (isOpen() && event.relatedTarget && !menu.contains(event.relatedTarget) && event.relatedTarget !== open) {
        menu.classList.remove("is-open");
        open.setAttribute("aria-expanded", "false");
      }
    });
  };

  // 3. The list of headings.
  const contents = () => {
    const list = document.querySelector(".contents details");
    if (!list) return;
    const unfold = () => { list.open = WIDE.matches; };
    unfold();
    WIDE.addEventListener("change", unfold);
    const links = new Map();
    for (const link of list.querySelectorAll("a")) {
      const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
      if (heading) links.set(heading, link);
    }
    const headings = [...links.keys()];
    const mark = () => {
      // The last heading above the upper third is the one whose text is being read.
      const passed = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight / 3);
      const current = links.get(passed[passed.length - 1]);
      for (const link of links.values()) {
        if (link === current) link.setAttribute("aria-current", "location");
        else link.removeAttribute("aria-current");
      }
    };
    const observer = new IntersectionObserver(mark, { rootMargin: "0px 0px -66% 0px", threshold: [0, 1] });
    for (const heading of headings) observer.observe(heading);
  };

  // 4. Printing.
  const printing = () => {
    let folded = [];
    addEventListener("beforeprint", () => {
      folded = [...document.querySelectorAll("main details:not([open])")];
      for (const it of folded) it.open = true;
    });
    addEventListener("afterprint", () => { for (const it of folded) it.open = false; });
  };

  document.addEventListener("DOMContentLoaded", () => { schemes(); drawer(); contents(); printing(); });
})();
