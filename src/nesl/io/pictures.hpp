// The windows that a program draws into. They become SVG files in the current folder
// (tutti_window_1.svg and so on) when the window is closed or the top-level form ends. Coordinates
// are pixels from the upper left corner.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace tutti::nesl {

class Pictures {
 public:
  // What `draw` draws; the numbers are those that the library's graphics.nesl uses.
  enum class Shape { lines, segments, polygon, circle, disc, text, image };

  int open(const std::string& title, int width, int height);  // its number, from 1
  // A colour, components up to 65535, and an operation of X: 6 inverts, the others paint.
  int add_colour(int picture, int operation, int red, int green, int blue);
  void draw(int picture, int colour, Shape shape, const std::vector<int>& numbers,
            const std::string& text);
  void clear(int picture);
  // Writes the file; a message for the user.
  std::string close(int picture);
  // Which of the buttons is pressed next, each once, one called quit last; -1: none is left. Throws
  // RuntimeError when a program goes on asking.
  int press(int picture, const std::vector<std::string>& buttons);
  // Which button of the mouse is pressed next: 1, 2, 3 in turn. Throws RuntimeError when a program
  // goes on asking.
  int click(int picture);

  // Closes all that are still open; their messages.
  std::string close_all();

 private:
  struct Picture {
    std::string title;
    int width = 0, height = 0;
    std::vector<std::string> colours;  // as attributes of SVG
    std::string shapes;
    std::vector<std::string> pressed;
    int asked_in_vain = 0, clicks = 0;
    bool open = true;
  };
  Picture& find(int picture);
  static void count_question(int& questions, const Picture& picture);
  std::string file_name(int picture) const;

  std::vector<Picture> all_;
};

}  // namespace tutti::nesl
