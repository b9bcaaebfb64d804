// A minimal adapter: an engine of XXung, and the loop that lets `lawstone conform xxung -- java Adapter.java` ask it.
// It reads requests with regular expressions, so that it needs no library; with a JSON library it is shorter.

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

public class Adapter {
    static final int[][] STRAIGHT = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
    static final int[][] AXES = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};

    // The engine. Put your own in its place.

    static class Game {
        final Map<String, String> board = new LinkedHashMap<>();
        String last = null;
        String outcome = "\"none\"";

        Game(List<String> moves) {
            moves.forEach(this::play);
        }

        String acts() {
            return board.size() % 2 == 0 ? "first" : "second";
        }

        List<String> ray(String site, int dx, int dy) {
            List<String> found = new ArrayList<>();
            int x = site.charAt(0) - 'a' + dx, y = Integer.parseInt(site.substring(1)) + dy;
            for (; x >= 0 && x < 9 && y >= 1 && y <= 9; x += dx, y += dy) found.add((char) ('a' + x) + "" + y);
            return found;
        }

        List<String> legal() {
            List<String> found = new ArrayList<>();
            if (!outcome.equals("\"none\"")) return found;
            if (last == null) {
                for (char f = 'a'; f <= 'i'; f++) for (int r = 1; r <= 9; r++) found.add(f + "" + r);
                return found;
            }
            for (int[] d : STRAIGHT)
                for (String site : ray(last, d[0], d[1])) {
                    if (board.containsKey(site)) break;
                    found.add(site);
                }
            return found;
        }

        int run(String site, int dx, int dy) {
            int length = 0;
            for (String other : ray(site, dx, dy)) {
                if (!board.get(site).equals(board.get(other))) break;
                length++;
            }
            return length;
        }

        void play(String move) {
            if (!legal().contains(move)) throw new IllegalArgumentException(move + " is not legal");
            String mover = acts();
            board.put(move, board.size() % 2 == 0 ? "x" : "o");
            last = move;
            String by = null;
            for (int[] a : AXES) if (1 + run(move, a[0], a[1]) + run(move, -a[0], -a[1]) >= 5) by = "end.five";
            if (by == null && legal().isEmpty()) by = "end.blocked";
            if (by != null) outcome = "{\"result\": \"win\", \"winner\": \"" + mover + "\", \"by\": \"" + by + "\"}";
        }
    }

    // The adapter. It stays as it is for most games.

    static String answer(String head) {
        if (!"xxung".equals(text(head, "game")) || text(head, "variant") != null || head.contains("\"size\": ["))
            return "\"unsupported\": true";
        String ask = text(head, "ask"), move = text(head, "move");
        Game game = new Game(list(head, "moves"));
        switch (ask) {
            case "legal moves": return "\"moves\": " + game.legal().stream().map(s -> '"' + s + '"').collect(Collectors.toList());
            case "is legal": return "\"legal\": " + game.legal().contains(move);
            case "outcome": return "\"outcome\": " + game.outcome;
            case "who acts": return "\"acts\": \"" + game.acts() + '"';
            case "after":
                game.play(move);
                String sites = game.board.entrySet().stream()
                    .map(e -> '"' + e.getKey() + "\": \"" + e.getValue() + '"').collect(Collectors.joining(", "));
                return "\"board\": {" + sites + "}, \"outcome\": " + game.outcome;
            default: return "\"unsupported\": true";
        }
    }

    static String text(String head, String key) {
        Matcher found = Pattern.compile("\"" + key + "\": \"([^\"]*)\"").matcher(head);
        return found.find() ? found.group(1) : null;
    }

    static List<String> list(String head, String key) {
        Matcher inside = Pattern.compile("\"" + key + "\": \\[([^\\]]*)\\]").matcher(head);
        List<String> found = new ArrayList<>();
        if (inside.find()) {
            Matcher each = Pattern.compile("\"([^\"]*)\"").matcher(inside.group(1));
            while (each.find()) found.add(each.group(1));
        }
        return found;
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String head = line.split(", \"position\": ")[0], reply;
            try {
                reply = answer(head);
            } catch (IllegalArgumentException error) {
                reply = "\"error\": \"" + error.getMessage() + '"';
            }
            System.out.println("{\"id\": \"" + text(head, "id") + "\", " + reply + "}");
            System.out.flush();
        }
    }
}
